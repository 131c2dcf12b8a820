import { describe, expect, it } from 'vitest';
import { fail, failed, ok, warn } from '../../../../src/cli/doctor/finding.ts';
import { findingInWords, settingsInWords, summaryOf } from '../../../../src/cli/doctor/render.ts';
import { HandraiseError } from '../../../../src/core/errors.ts';

const FAILED = fail('slack.token', 'x', 'y');

describe('the report of doctor', () => {
  it('says below what is not ok what to do, in one column', () => {
    const lines = [
      ok('slack.token', 'Slack knows the token.'),
      warn('redis.persistence', 'It forgets.', 'Set appendonly yes.'),
      fail('configuration.bindings', 'Nothing is bound.', 'Bind something.'),
    ];
    expect(lines.map(findingInWords).join('\n')).toBe(
      [
        'ok    slack.token            Slack knows the token.',
        'WARN  redis.persistence      It forgets.',
        '                             → Set appendonly yes.',
        'FAIL  configuration.bindings Nothing is bound.',
        '                             → Bind something.',
      ].join('\n'),
    );
  });

  it('keeps what somebody else said to one line, without what a terminal would obey', () => {
    const line = findingInWords(ok('redis.server', 'one\r\n  two \u001b[31mred\u0007'));
    expect(line).toBe('ok    redis.server           one two ?[31mred?');
  });

  it('takes the cure from a failure that has one, and ends its sentence once', () => {
    const known = new HandraiseError('Slack refused it.', { code: 'surface', hint: 'Invite the app.' });
    expect(failed('slack.channel', known, 'Look.')).toMatchObject({
      what: 'Slack refused it.',
      cure: 'Invite the app.',
    });
    expect(failed('slack.channel', new Error('odd'), 'Look.')).toMatchObject({ what: 'odd.', cure: 'Look.' });
  });

  it.each([
    ['Everything is in order.', [ok('slack.token', 'x')]],
    ['1 warning', [warn('slack.token', 'x', 'y'), ok('slack.token', 'x')]],
    ['2 failures, 1 warning', [FAILED, FAILED, warn('slack.token', 'x', 'y')]],
  ])('sums it up as "%s"', (summary, findings) => {
    expect(summaryOf(findings)).toBe(summary);
  });

  it('lists values in columns, also where there are none', () => {
    expect(
      settingsInWords([
        { name: 'redis.url', value: 'host:6379', origin: 'HANDRAISE_REDIS_URL' },
        { name: 'bindings[0].match', value: '{"workspace":"*"}', origin: '/etc/handraise.yaml:2' },
      ]),
    ).toBe(
      'redis.url          host:6379          HANDRAISE_REDIS_URL\n' +
        'bindings[0].match  {"workspace":"*"}  /etc/handraise.yaml:2',
    );
    expect(settingsInWords([])).toContain('Nothing is configured');
  });
});
