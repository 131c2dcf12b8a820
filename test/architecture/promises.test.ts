import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { PROMISES } from '../requirements.ts';
import { ROOT } from './source-files.ts';

const tests = readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.test.ts'))
  .map((name) => readFileSync(join(ROOT, 'test', name), 'utf8'));
const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');

it('every promise is proved by a test, and every test proves a promise that exists', () => {
  const cited = new Set(
    tests.flatMap((text) => [...text.matchAll(/\(promise: ([a-z-]+)\)/g)].map((match) => match[1])),
  );
  expect([...cited].sort()).toEqual(Object.keys(PROMISES).sort());
});

it('the README promises exactly what the list says', () => {
  const [, section = ''] = readme.split('## What it promises\n');
  const promised = (section.split('\n## ')[0] ?? '').split('\n').filter((line) => line.startsWith('- '));
  expect(promised).toEqual(Object.values(PROMISES).map((sentence) => `- ${sentence}`));
});
