import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { scriptedPrompter } from '../../../src/prompt/scripted.ts';
import { batchOf, question } from '../../support/requests.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'handraise-script-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const signal = new AbortController().signal;
async function play(script: string, ...texts: string[]) {
  const file = join(directory, 'script.json');
  writeFileSync(file, script);
  const prompter = await scriptedPrompter(file);
  const outcomes = [];
  for (const text of texts) {
    outcomes.push((await prompter.ask(batchOf(question(text, ['Yes', 'No'])), { signal })).outcome);
  }
  return outcomes;
}

describe('a script', () => {
  it('gives each batch the first unused step that names its questions', async () => {
    const script = '[{"answers":{"A?":"Yes"}},{"answers":{"B?":"No"}},{"outcome":"declined"},{"answers":{}}]';
    expect((await play(script, 'B?', 'A?', 'C?', 'D?', 'E?')).map((outcome) => outcome.kind)).toEqual([
      'answered',
      'answered',
      'declined',
      'skipped',
      'undeliverable',
    ]);
  });

  it('answers a question whatever it is called', async () => {
    const [outcome] = await play('[{"answers":{"__proto__":"No"}}]', '__proto__');
    expect(outcome).toMatchObject({ kind: 'answered', sheet: [{ labels: ['No'] }] });
  });

  it.each([
    ['not there', undefined],
    ['no JSON', 'what?'],
    ['a step that is neither', '[{"answer":{}}]'],
    ['answers that are a list', '[{"answers":[]}]'],
  ])('that is %s is refused with the form it should have', async (_, script) => {
    const file = join(directory, 'script.json');
    if (script !== undefined) writeFileSync(file, script);
    await expect(scriptedPrompter(file)).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringMatching(/^The script .* cannot be used: /),
      hint: expect.stringContaining('JSON array'),
    });
  });
});
