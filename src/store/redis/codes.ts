import { HandraiseError } from '../../core/errors.ts';
import { STORE_CODES, type StoreCode } from '../../core/store-codes.ts';

const byInteger = new Map<number, StoreCode>(
  (Object.keys(STORE_CODES) as StoreCode[]).map((code) => [STORE_CODES[code], code]),
);

/** The name of what a script returned. */
export function codeOf(integer: number): StoreCode {
  const code = byInteger.get(integer);
  if (code === undefined) throw new HandraiseError(`A script returned the unknown code ${integer}.`, { code: 'store' });
  return code;
}

/** The table as Lua, for the head of every script. */
export const CODES_IN_LUA = `local CODES = { ${Object.entries(STORE_CODES)
  .map(([name, integer]) => `${name} = ${integer}`)
  .join(', ')} }`;
