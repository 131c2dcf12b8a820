import { describe, expect, it } from 'vitest';
import type { Finding } from '../../../../src/cli/doctor/finding.ts';
import { examineIsolation } from '../../../../src/cli/doctor/isolation.ts';
import type { Config } from '../../../../src/config/schema.ts';
import { Secret } from '../../../../src/config/secret.ts';
import { systemClock } from '../../../../src/core/clock.ts';
import { recordingLog } from '../../../support/recording-log.ts';
import { SESSION } from '../../../support/requests.ts';

const redis = { url: new Secret('redis://db.example') };
const slack = { botToken: new Secret('a'), appToken: new Secret('b') };

describe('what doctor says of who could read what', () => {
  it.each<[string, Partial<Config>, string[]]>([
    ['a run without Redis', { slack }, ['warn isolation.user']],
    ['a gateway', { redis, slack }, ['ok isolation.user']],
    ['a run over Redis', { redis }, ['ok isolation.user']],
    [
      'a run that is told the signing key',
      { redis, gateway: { signingKey: new Secret('c') } },
      ['fail isolation.key', 'ok isolation.user'],
    ],
  ])('judges %s', (_, part, expected) => {
    const findings: Finding[] = [];
    examineIsolation({
      config: { bindings: [], slack: {}, origins: new Map(), ...part },
      ...{ env: {}, session: SESSION, stateDirectory: '/nowhere', clock: systemClock, newId: () => 'id' },
      ...{ log: recordingLog(), signal: new AbortController().signal, report: (finding) => findings.push(finding) },
    });
    expect(findings.map(({ level, check }) => `${level} ${check}`)).toEqual(expected);
  });
});
