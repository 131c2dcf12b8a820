import { isObj, type Obj } from '../../json.ts';
import type { Issue } from '../block-kit/schema.ts';
import { ApiError } from './api-error.ts';

/** What an argument is: forms carry all of them as strings, JSON bodies as themselves. */
export type ArgKind = 'text' | 'flag' | 'number' | 'json' | 'ts';

export interface ArgTable {
  readonly required?: Readonly<Record<string, ArgKind>>;
  readonly optional?: Readonly<Record<string, ArgKind>>;
}

export type Args = Readonly<Record<string, unknown>>;

/** Typed arguments, or `invalid_arguments` with a pointer for each that is missing, unknown or wrong. */
export function readArguments(table: ArgTable, raw: Obj): Args {
  const known = { ...table.required, ...table.optional };
  const issues: Issue[] = [];
  const args: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(raw)) {
    if (value === undefined || value === null || key === 'token') continue;
    // A client made for one team (Bolt's listeners get one) says so in every call.
    if (key === 'team_id' && !(key in known)) continue;
    const kind = Object.hasOwn(known, key) ? known[key] : undefined;
    if (kind === undefined) issues.push({ pointer: `/${key}`, message: `unknown argument: ${key}` });
    else args[key] = read(kind, value, `/${key}`, issues);
  }
  for (const key of Object.keys(table.required ?? {})) {
    if (raw[key] === undefined || raw[key] === '') {
      issues.push({ pointer: `/${key}`, message: `missing required field: ${key}` });
    }
  }
  if (issues.length > 0) throw new ApiError('invalid_arguments', issues);
  return args;
}

function read(kind: ArgKind, value: unknown, pointer: string, issues: Issue[]): unknown {
  const wrong = (message: string) => {
    issues.push({ pointer, message });
    return undefined;
  };
  switch (kind) {
    case 'text':
      return typeof value === 'string' ? value : wrong('must provide a string');
    case 'ts':
      // As a number it has lost digits.
      if (typeof value !== 'string') return wrong('must provide a string');
      return /^\d{10}\.\d{6}$/.test(value) ? value : wrong('must be a timestamp id such as 1700000000.000100');
    case 'flag':
      if (value === true || value === 'true' || value === '1') return true;
      if (value === false || value === 'false' || value === '0') return false;
      return wrong('must be a boolean');
    case 'number': {
      const number = typeof value === 'number' ? value : Number(value);
      return Number.isFinite(number) ? number : wrong('must be a number');
    }
    case 'json':
      if (typeof value !== 'string') return isObj(value) || Array.isArray(value) ? value : wrong('must be JSON');
      return parsed(value) ?? wrong('must be JSON');
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Reported by the caller as a broken rule.
    return undefined;
  }
}
