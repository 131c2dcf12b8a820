import { expect, it } from 'vitest';
import { RESOLVE_CODES } from '../../../src/core/resolve-codes.ts';
import { STORE_CODES } from '../../../src/core/store-codes.ts';

it('every failure other permission systems have a stable code for has one here, and says which', () => {
  const codes = new Set(Object.values(RESOLVE_CODES).flatMap(({ permissionCode }) => permissionCode ?? []));
  expect([...codes].sort()).toEqual([
    'permission_already_resolved',
    'permission_audit_failed',
    'permission_delivery_failed',
    'permission_not_found',
    'permission_option_not_offered',
    'permission_resolution_in_progress',
    'permission_stale',
    'task_or_session_not_found',
  ]);
});

it('every refusal of the store is told by the store’s own name', () => {
  const refusals = Object.entries(STORE_CODES).flatMap(([name, code]) => (code < 0 ? [name] : []));
  for (const refusal of refusals) expect(RESOLVE_CODES).toHaveProperty(refusal);
});
