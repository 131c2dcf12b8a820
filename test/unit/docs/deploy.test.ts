import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { ownerRules } from '../../../src/store/redis/acl.ts';
import { createKeys } from '../../../src/store/redis/keys.ts';

const page = readFileSync(new URL('../../../docs/deploy.md', import.meta.url), 'utf8');

it('the Redis user of docs/deploy.md has the rules that are tested', () => {
  const [, shown = ''] = /ACL SETUSER owner on >PASSWORD\n([\s\S]*?)```/.exec(page) ?? [];
  expect(shown.trim().split(/\s+/)).toEqual(ownerRules(createKeys()));
});
