import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createDesk, type Desk } from '../../support/handraise.ts';

let desk: Desk;
beforeEach(() => {
  desk = createDesk();
});
afterEach(() => desk.remove());

describe('ask', () => {
  it('prints the answer as one JSON object and ends with 0', async () => {
    const { json, exitCode } = await ask(
      [{ answers: { 'Which database?': 'Postgres' }, annotations: { 'Which database?': { notes: 'ours' } } }],
      ['Which database?', '--header', 'Storage', '--option', 'Postgres=runs already', '--option', 'SQLite'],
    );
    expect(json).toEqual({
      outcome: 'answered',
      by: 'operator',
      answers: { 'Which database?': 'Postgres' },
      annotations: { 'Which database?': { notes: 'ours' } },
    });
    expect(exitCode).toBe(0);
  });

  it('asks for text when no options are given', async () => {
    const { json } = await ask([{ answers: { 'Release name?': 'Otter' } }], ['Release name?']);
    expect(json).toMatchObject({ outcome: 'answered', answers: { 'Release name?': 'Otter' } });
  });

  it('lets several be chosen with --multi', async () => {
    const options = ['--option', 'a=first', '--option', 'b', '--option', 'c'];
    const { json } = await ask([{ answers: { 'Which?': ['c', 'a'] } }], ['Which?', ...options, '--multi']);
    expect(json).toMatchObject({ outcome: 'answered', answers: { 'Which?': ['a', 'c'] } });
  });

  it.each([
    ['standard input', [], true],
    ['standard input by name', ['--file', '-'], true],
    ['a file', ['--file', 'batch.json'], false],
  ])('takes a whole batch from %s', async (_, args, onInput) => {
    const batch = JSON.stringify({ questions: [{ question: 'One?' }, { question: 'Two?', options: ['a', 'b'] }] });
    writeFileSync(join(desk.work, 'batch.json'), batch);
    const { json, exitCode } = await ask([{ answers: { 'One?': 'x' } }], args, onInput ? batch : undefined);
    expect(json).toEqual({ outcome: 'partially_answered', by: 'operator', answers: { 'One?': 'x' } });
    expect(exitCode).toBe(0);
  });

  it.each([
    ['skipping everything', { answers: {} }, { outcome: 'skipped', by: 'operator', answers: {} }, 0],
    ['leaving it to the agent', { outcome: 'declined' }, { outcome: 'declined', by: 'operator' }, 3],
    ['silence', { outcome: 'timed_out' }, { outcome: 'timed_out', by: 'timeout' }, 3],
  ])('tells %s apart', async (_, step, json, exitCode) => {
    expect(await ask([step], ['Why?'])).toMatchObject({ json, exitCode });
  });

  it('says why nobody could be shown the question', async () => {
    const { json, exitCode } = await ask([], ['Why?']);
    expect(json).toEqual({ outcome: 'undeliverable', by: 'system', reason: expect.stringContaining('no step left') });
    expect(exitCode).toBe(3);
  });

  it('says that nobody can be asked, when nothing is configured', async () => {
    const { stdout, stderr, exitCode } = await desk.start(['ask', 'Why?', '--session', 's1']);
    expect(JSON.parse(String(Buffer.from(stdout)))).toEqual({ outcome: 'no_channel', by: 'headless' });
    expect(String(Buffer.from(stderr))).toBe('');
    expect(exitCode).toBe(3);
    const events = readFileSync(join(desk.state, 's1/events.jsonl'), 'utf8').trim().split('\n');
    expect(events.map((line) => JSON.parse(line))).toMatchObject([
      { event: 'operator.question.asked' },
      { event: 'operator.question.unanswered', outcome: 'no_channel', by: 'headless' },
    ]);
  });
});

async function ask(steps: unknown[], args: string[], input?: string) {
  writeFileSync(join(desk.work, 'script.json'), JSON.stringify(steps));
  const options = input === undefined ? {} : { input };
  const { stdout, stderr, exitCode } = await desk.start(['ask', ...args, '--script', 'script.json'], options);
  expect(String(Buffer.from(stderr))).toBe('');
  expect(String(Buffer.from(stdout))).toMatch(/^\{.*\}\n$/);
  return { json: JSON.parse(String(Buffer.from(stdout))) as unknown, exitCode };
}
