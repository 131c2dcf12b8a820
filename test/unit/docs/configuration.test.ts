import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parseConfig } from '../../../src/config/file.ts';

const page = readFileSync(new URL('../../../docs/configuration.md', import.meta.url), 'utf8');

it('the example of docs/configuration.md is a valid file with two bindings', () => {
  const example = /```yaml\n([\s\S]*?)```/.exec(page)?.[1] ?? '';
  const bindings = parseConfig(example, 'docs/configuration.md').bindings.map((read) => read.values);
  expect(bindings).toMatchObject([
    {
      slack: { channel: 'C0123456789' },
      questions: { wait: 900_000, operators: { slackUsers: ['U0123456789', 'U0123456790'] } },
    },
    {
      match: { workspace: '*' },
      discord: { channel: '112233445566778899' },
      questions: { mode: 'ask', wait: 300_000, operators: '*' },
      grants: {
        wait: 600_000,
        requester: 'never',
        quorum: { write: 1, external: 2 },
        approvers: {
          write: { slackUsers: ['U0123456789'], slackGroups: ['S0123456789'], discordRoles: ['334455667788990011'] },
          external: { slackUsers: ['U0123456789', 'U0123456790', 'U0123456791'] },
        },
      },
    },
  ]);
});
