import { describe, expect, it } from 'vitest';
import { createRedactor } from '../../../../src/core/redact/redactor.ts';
import { secretPositions } from '../../../../src/gate/redact/secret-positions.ts';
import { faultsOf, moreRedactionCases, redactionCases } from '../../../support/redaction-cases.ts';
import { worstTexts } from '../../../support/worst-texts.ts';

const redactor = createRedactor({ locate: secretPositions });

describe('the labelled corpus of secrets', () => {
  it('is masked as a whole, loses nothing that has to stay, and leaves texts without secrets alone', () => {
    expect(redactionCases.flatMap((one) => faultsOf(one, redactor.text(one.text)))).toEqual([]);
  });

  it('and so are places and texts beyond it', () => {
    expect(moreRedactionCases.flatMap((one) => faultsOf(one, redactor.text(one.text)))).toEqual([]);
  });

  it('reads the same when it is masked once more', () => {
    for (const { text } of [...redactionCases, ...moreRedactionCases]) {
      const once = redactor.text(text);
      expect(redactor.text(once)).toBe(once);
    }
  });
});

describe('positions in commands', () => {
  it('are found by programs, not by letters: the same option of another program stays', () => {
    for (const text of [
      'ssh -p 2222 host',
      'cp -p a b',
      'docker run -p 80:80 -u 1000:1000 x',
      'mysql -p app',
      'zip -r a.zip b',
    ])
      expect(secretPositions(text)).toEqual([]);
  });

  it('are found within quotes, substitutions, pipelines, prose and what the shell would not take', () => {
    const secret = ['hunter2', 'correct8942'].join('');
    const texts = [
      `bash -c "mysql -p'${secret}' x"`,
      `ssh host 'redis-cli -a ${secret} ping'`,
      `x=$(zip -P ${secret} a.zip b)`,
      `echo ${secret} | docker login -u bot --password-stdin`,
      `Shouldn't I run \`mysql -p${secret} -e 'x'\`?`,
      `if true; then sshpass -p ${secret} ssh a`,
    ];
    for (const text of texts) expect(redactor.text(text)).not.toContain(secret);
  });

  it('take no more than moments for 64 kB of the worst texts there are', () => {
    const begun = performance.now();
    for (const { text } of worstTexts(65_536)) redactor.text(text);
    // All 90 take a few seconds; a single rule that took the square of its text would take minutes.
    expect(performance.now() - begun).toBeLessThan(60_000);
  }, 120_000);
});
