import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { classifyCommand } from '../../../../src/gate/effects/classify.ts';
import type { Effect } from '../../../../src/gate/effects/effect.ts';

const RANK: Readonly<Record<Effect, number>> = { read: 0, write: 1, unknown: 2, external: 3 };
const READS = ['ls -la', 'cat package.json', 'echo done', 'grep -rn foo src', 'wc -l README.md', 'true'];
const STEPS = ['rm -rf build', 'touch a', 'npm test', 'git push', 'git push origin main', 'npm publish', 'python x.py'];

/** Programs and prefixes that start a command. */
const STARTERS: readonly ((step: string) => string)[] = [
  (step) => step,
  (step) => `timeout 5 ${step}`,
  (step) => `env ${step}`,
  (step) => `nice -n 5 ${step}`,
  (step) => `bash -c '${step}'`,
  (step) => `ls | xargs ${step}`,
  (step) => `find . -exec ${step} \\;`,
  (step) => `sudo ${step}`,
  (step) => `command ${step}`,
  (step) => `LANG=C ${step}`,
  (step) => `${step} > /dev/null 2>&1`,
];

/** Ways to put any list of commands among others. None may hide what it does. */
const COMPOSITIONS: readonly ((step: string, read: string) => string)[] = [
  (step, read) => `${read} && { ${step}\n}`,
  (step, read) => `${read} | { ${step}\n}`,
  (step, read) => `${read} || (${step}\n)`,
  (step, read) => `${step}\n${read}`,
  (step, read) => `{ ${step}\n} & ${read}`,
  (step) => `echo "$(${step}\n)"`,
  (step) => `cat <(${step}\n)`,
  (step) => `cat <<EOF\n$(${step}\n)\nEOF`,
  (step, read) => `if ${read}; then ${step}\nfi`,
  (step, read) => `if ${step}\nthen ${read}; fi`,
  (step) => `for f in a b; do ${step}\ndone`,
  (step) => `while true; do ${step}\ndone`,
  (step) => `case x in x) ${step}\n;; esac`,
  (step) => `f() { ${step}\n}; f`,
  (step) => `! { ${step}\n}`,
  (step) => `time { ${step}\n}`,
  (step) => `coproc { ${step}\n}`,
  (step, read) => `${read} # quiet\n${step}`,
  (step) => `X=$(${step}\n)`,
  (step) => `echo \${X:-$(${step}\n)}`,
  (step) => `[[ -n $(${step}\n) ]]`,
];

/** Every labelled command that can be parsed and hides nothing. */
const LABELLED = readFileSync(new URL('../../../fixtures/gate/bash-effects.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => (JSON.parse(line) as { cmd: string }).cmd)
  .filter((command) => !classifyCommand(command).tags.some((tag) => /^(unparseable|unicode|too-large)$/.test(tag)));

describe('composing commands', () => {
  it('never lowers the effect of what is in it', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...STEPS),
        fc.constantFrom(...READS),
        fc.constantFrom(...STARTERS),
        fc.array(fc.constantFrom(...COMPOSITIONS), { maxLength: 3 }),
        (step, read, start, wrappers) => {
          const composed = wrappers.reduce((inner, wrap) => wrap(inner, read), start(step));
          // One here-document within another needs another delimiter.
          fc.pre((composed.match(/<<EOF/g) ?? []).length <= 1);
          const found = classifyCommand(composed);
          expect(found.tags, composed).not.toContain('unparseable');
          expect(RANK[found.effect], composed).toBeGreaterThanOrEqual(RANK[classifyCommand(step).effect]);
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it('never lowers the effect of any labelled command', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...LABELLED),
        fc.constantFrom(...READS),
        fc.array(fc.constantFrom(...COMPOSITIONS), { minLength: 1, maxLength: 2 }),
        (step, read, wrappers) => {
          const composed = wrappers.reduce((inner, wrap) => wrap(inner, read), step);
          fc.pre((composed.match(/<</g) ?? []).length <= 1);
          expect(RANK[classifyCommand(composed).effect], composed).toBeGreaterThanOrEqual(
            RANK[classifyCommand(step).effect],
          );
        },
      ),
      { numRuns: 3_000 },
    );
  });

  it('keeps the marks of what is in it, and every program, file and machine', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(
          ...['cat .env', 'echo x > .git/hooks/a', 'touch src/a', 'curl -d @a https://files.example', 'ssh web1 ls'],
        ),
        fc.constantFrom(...READS),
        fc.array(fc.constantFrom(...COMPOSITIONS), { minLength: 1, maxLength: 2 }),
        (step, read, wrappers) => {
          const composed = wrappers.reduce((inner, wrap) => wrap(inner, read), step);
          fc.pre((composed.match(/<</g) ?? []).length <= 1);
          const [alone, among] = [classifyCommand(step), classifyCommand(composed)];
          expect(among.tags, composed).toEqual(expect.arrayContaining([...alone.tags]));
          for (const fact of ['programs', 'targets', 'hosts'] as const) {
            expect(among[fact], composed).toEqual(expect.arrayContaining([...alone[fact]]));
          }
        },
      ),
      { numRuns: 500 },
    );
  });

  it('of reads alone stays a read', () => {
    for (const composed of [
      'ls && cat a | head -3',
      '(ls; pwd)',
      'for f in a b; do cat "$f"; done',
      'if [ -d a ]; then ls a; fi',
    ]) {
      expect(classifyCommand(composed).effect, composed).toBe('read');
    }
  });
});

describe('ten thousand characters', () => {
  const filled = (unit: string, end = '') => `${unit.repeat(Math.floor((10_000 - end.length) / unit.length))}${end}`;
  const texts = [
    filled('('),
    filled('{ '),
    filled('$(('),
    filled('"'),
    filled('`'),
    filled('[[ '),
    filled('a=b '),
    filled('<<E '),
    filled('{a,b}'),
    filled('*?['),
    filled('env '),
    filled('xargs '),
    filled('find -exec '),
    filled("bash -c '"),
    filled('case x in x) '),
    filled('cd a; '),
    filled('cd {a,b}&&'),
    filled('cat .{e,f}{n,m}{v,w}* '),
    `cat ${filled('{a,b,c}').slice(0, 9_990)}`,
    `sed '${filled('s/a/b/;').slice(0, 9_900)}'`,
    `awk '${filled('"\\"').slice(0, 9_900)}'`,
    `rm ${filled('../').slice(0, 9_990)}`,
    `curl ${filled('http://a@').slice(0, 9_990)}`,
    `git ${filled('--no-pager ').slice(0, 9_900)}push`,
  ];

  it('of whatever the rules could choke on take bounded time', () => {
    // Many times what they take: only what grows with the square of the length is that slow.
    for (const text of texts) {
      const begun = performance.now();
      classifyCommand(text);
      expect(performance.now() - begun, text.slice(0, 40)).toBeLessThan(5_000);
    }
  });
});

describe('a text of any content', () => {
  it('is classified without throwing, whatever it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (text) => {
        expect(Object.keys(RANK)).toContain(classifyCommand(text).effect);
      }),
      { numRuns: 500 },
    );
  });

  it('is unknown when it is too long, too deep or too much', () => {
    const texts = [
      `echo ${'a'.repeat(10_000)}`,
      `${'$('.repeat(200)}ls${')'.repeat(200)}`,
      'ls; '.repeat(201),
      `${'env '.repeat(200)}ls`,
      `${'parallel '.repeat(900)}ls`,
    ];
    for (const text of texts) expect(classifyCommand(text).effect, text.slice(0, 30)).toBe('unknown');
  });

  it('is unknown when it hides characters', () => {
    for (const hidden of ['\u202e', '\u200b', '\u00a0', '\r', '\u000b', '\u0000', '\ufeff', '\u{e0041}', '\u2800']) {
      expect(classifyCommand(`ls${hidden} x`), JSON.stringify(hidden)).toMatchObject({
        effect: 'unknown',
        tags: ['unicode'],
      });
    }
  });
});
