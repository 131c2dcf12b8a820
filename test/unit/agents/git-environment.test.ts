import { expect, test } from 'vitest';
import { gitWithoutHelpers } from '../../../src/agents/git-environment.ts';

test('git starts no monitor and no pager, and takes no lock that a read can do without', () => {
  expect(gitWithoutHelpers({})).toEqual({
    GIT_CONFIG_COUNT: '2',
    GIT_CONFIG_KEY_0: 'core.fsmonitor',
    GIT_CONFIG_VALUE_0: 'false',
    GIT_CONFIG_KEY_1: 'core.pager',
    GIT_CONFIG_VALUE_1: 'cat',
    GIT_OPTIONAL_LOCKS: '0',
  });
});

test('entries that are there already are kept, ours come after them', () => {
  expect(gitWithoutHelpers({ GIT_CONFIG_COUNT: '3' })).toMatchObject({
    GIT_CONFIG_COUNT: '5',
    GIT_CONFIG_KEY_3: 'core.fsmonitor',
    GIT_CONFIG_KEY_4: 'core.pager',
  });
  // What git itself would refuse is replaced.
  expect(gitWithoutHelpers({ GIT_CONFIG_COUNT: 'many' })).toMatchObject({ GIT_CONFIG_COUNT: '2' });
});
