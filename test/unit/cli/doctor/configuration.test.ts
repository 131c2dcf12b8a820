import { describe, expect, it } from 'vitest';
import { examineConfiguration } from '../../../../src/cli/doctor/configuration.ts';
import type { Examination } from '../../../../src/cli/doctor/examination.ts';
import type { Finding } from '../../../../src/cli/doctor/finding.ts';
import type { Binding, Config, Match } from '../../../../src/config/schema.ts';
import { systemClock } from '../../../../src/core/clock.ts';
import type { OperatorRule } from '../../../../src/core/policy/people.ts';
import { recordingLog } from '../../../support/recording-log.ts';
import { SESSION } from '../../../support/requests.ts';

describe('what doctor says of bindings', () => {
  it('names one that is hidden by another that matches every run', () => {
    expect(judged(bound({ workspace: '*' }), bound({ workspace: '**/api' }))).toEqual([
      'warn configuration.hidden: bindings[1] is never used: bindings[0], which stands before it, matches every run.',
      `ok configuration.here: A run in ${SESSION.workspace} (${SESSION.branch}) asks through bindings[0].`,
    ]);
  });

  it('tells agents apart where bindings do', () => {
    const [line] = judged(bound({ agent: 'claude-code' }), bound({ agent: 'script' }));
    expect(line).toMatch(/asks through bindings\[0\] \(claude-code\), nobody \(generic\), bindings\[1\] \(script\)\.$/);
  });

  it.each<[string, OperatorRule, RegExp | undefined]>([
    ['says nothing where nobody may approve, which is how it is meant', {}, undefined],
    [
      'says how many may approve',
      { slackUsers: ['U1', 'U2'] },
      /^ok configuration\.approvers: .*2 people on Slack may allow/,
    ],
    ['warns where everybody may approve', '*', /^warn configuration\.approvers: Everybody who sees a card/],
    [
      'warns where no card reaches the approvers',
      { discordUsers: ['223344556677889900'] },
      /^warn configuration\.approvers: No card of bindings\[0\] reaches .*1 person on Discord/,
    ],
  ])('%s', (_, approvers, words) => {
    const [line] = judged({ ...bound({ workspace: '*' }), grants: { approvers, waitMs: 60_000 } });
    expect(line).toMatch(words ?? /configuration\.here/);
  });

  it.each([
    ['no binding matches', bound({ workspace: '/elsewhere/**' }), /^warn .* asks nobody: no binding matches\.$/],
    [
      'the binding denies',
      bound({ workspace: '*' }, 'deny'),
      /^warn .* asks nobody: its binding has questions\.mode: deny\.$/,
    ],
  ])('says that a run here asks nobody where %s', (_, binding, words) => {
    expect(judged(binding)).toEqual([expect.stringMatching(words)]);
  });
});

function bound(match: Match, mode: 'ask' | 'deny' = 'ask'): Binding {
  return { match, slack: { channel: 'C01' }, questions: { mode, operators: '*', waitMs: 60_000 } };
}

function judged(...bindings: Binding[]): string[] {
  const findings: Finding[] = [];
  const config: Config = { bindings, slack: {}, origins: new Map() };
  const examination: Examination = {
    ...{ config, env: {}, session: SESSION, stateDirectory: '/nowhere', clock: systemClock, newId: () => 'id' },
    ...{ log: recordingLog(), signal: new AbortController().signal, report: (finding) => findings.push(finding) },
  };
  examineConfiguration(examination);
  return findings.map(({ level, check, what }) => `${level} ${check}: ${what}`);
}
