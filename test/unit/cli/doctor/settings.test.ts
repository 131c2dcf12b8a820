import { describe, expect, it } from 'vitest';
import { settingsOf } from '../../../../src/cli/doctor/settings.ts';
import type { Config } from '../../../../src/config/schema.ts';
import { Secret } from '../../../../src/config/secret.ts';

const PASSWORD = ['pass', 'word'].join('-');

describe('the settings doctor prints', () => {
  it('show where Redis is and as whom, and never the password', () => {
    const url = `redis://runs:${PASSWORD}@db.example:6380/2`;
    const [setting] = settingsOf(configOf({ redis: { url: new Secret(url) } }, 'redis.url', 'HANDRAISE_REDIS_URL'));
    expect(setting).toEqual({
      name: 'redis.url',
      value: 'db.example:6380, as user runs, database 2',
      origin: 'HANDRAISE_REDIS_URL',
    });
  });

  it('show no part of a Redis URL that cannot be read', () => {
    const config = configOf(
      { redis: { url: new Secret(`http://x:${PASSWORD}@y`) } },
      'redis.url',
      'HANDRAISE_REDIS_URL',
    );
    expect(JSON.stringify(settingsOf(config))).not.toContain(PASSWORD);
  });

  it('say of a secret that it is set, and how long a wait is', () => {
    const bindings: Config['bindings'] = [
      { match: { workspace: '*' }, questions: { mode: 'ask', operators: { slackUsers: ['U01'] }, waitMs: 90_000 } },
    ];
    const config: Config = {
      bindings,
      slack: { botToken: new Secret(PASSWORD) },
      origins: new Map([
        ['slack.botToken', { from: 'environment', name: 'SLACK_BOT_TOKEN_FILE' }],
        ['bindings[0].questions.wait', { from: 'file', name: '/etc/handraise.yaml:4' }],
        ['bindings[0].questions.operators', { from: 'default', name: '' }],
      ]),
    };
    expect(settingsOf(config)).toEqual([
      { name: 'bindings[0].questions.operators', value: '{"slackUsers":["U01"]}', origin: 'default' },
      { name: 'bindings[0].questions.wait', value: '90 seconds', origin: '/etc/handraise.yaml:4' },
      { name: 'slack.botToken', value: 'set, not shown', origin: 'SLACK_BOT_TOKEN_FILE' },
    ]);
  });
});

function configOf(part: Partial<Config>, name: string, from: string): Config {
  return { bindings: [], slack: {}, origins: new Map([[name, { from: 'environment', name: from }]]), ...part };
}
