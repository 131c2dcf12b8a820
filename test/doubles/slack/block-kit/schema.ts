import { codePoints, isObj, type Obj } from '../../json.ts';

/** One rule that a payload broke, in Slack's words. */
export interface Issue {
  readonly pointer: string;
  readonly message: string;
}

export type Check = (value: unknown, pointer: string, issues: Issue[]) => void;
/** A rule over a whole object whose members were already looked at one by one. */
export type Rule = (value: Obj, pointer: string, issues: Issue[]) => void;

/** An object with exactly these members; `type` has been dealt with by `kinds`. */
export function shape(required: Record<string, Check>, optional: Record<string, Check> = {}, ...rules: Rule[]): Check {
  return (value, pointer, issues) => {
    if (!isObj(value)) {
      issues.push({ pointer, message: 'must provide an object' });
      return;
    }
    for (const [key, check] of Object.entries(required)) {
      if (value[key] === undefined || value[key] === null) {
        issues.push({ pointer, message: `missing required field: ${key}` });
      } else check(value[key], `${pointer}/${key}`, issues);
    }
    for (const [key, member] of Object.entries(value)) {
      if (key === 'type' || key in required || member === undefined) continue;
      const check = optional[key];
      if (check) check(member, `${pointer}/${key}`, issues);
      else issues.push({ pointer, message: `invalid additional property: ${key}` });
    }
    for (const rule of rules) rule(value, pointer, issues);
  };
}

/** Chooses by the object's `type`, so that a fault is told about the right kind only. */
export function kinds(table: Readonly<Record<string, Check>>): Check {
  return (value, pointer, issues) => {
    if (!isObj(value)) {
      issues.push({ pointer, message: 'must provide an object' });
      return;
    }
    const kind = value['type'];
    if (typeof kind !== 'string') {
      issues.push({ pointer, message: 'missing required field: type' });
      return;
    }
    const check = Object.hasOwn(table, kind) ? table[kind] : undefined;
    if (check) check(value, pointer, issues);
    else issues.push({ pointer: `${pointer}/type`, message: `unsupported type: ${kind}` });
  };
}

export function list(item: Check, min: number, max: number): Check {
  return (value, pointer, issues) => {
    if (!Array.isArray(value)) {
      issues.push({ pointer, message: 'must be an array' });
      return;
    }
    if (value.length < min) issues.push({ pointer, message: `no fewer than ${min} items allowed` });
    if (value.length > max) issues.push({ pointer, message: `no more than ${max} items allowed` });
    for (const [i, member] of value.entries()) item(member, `${pointer}/${i}`, issues);
  };
}

export function str(min: number, max: number): Check {
  return (value, pointer, issues) => {
    if (typeof value !== 'string') {
      issues.push({ pointer, message: 'must provide a string' });
      return;
    }
    const length = codePoints(value);
    if (length < min) issues.push({ pointer, message: `must be more than ${min - 1} characters` });
    if (length > max) issues.push({ pointer, message: `must be less than ${max + 1} characters` });
    // A half of a surrogate pair: somebody cut text in the middle of a character.
    if (/\p{Surrogate}/u.test(value)) issues.push({ pointer, message: 'must be valid unicode' });
  };
}

export const flag: Check = (value, pointer, issues) => {
  if (typeof value !== 'boolean') issues.push({ pointer, message: 'must be a boolean' });
};

export function whole(min: number, max: number): Check {
  return (value, pointer, issues) => {
    if (!Number.isInteger(value) || Number(value) < min || Number(value) > max) {
      issues.push({ pointer, message: `must be an integer between ${min} and ${max}` });
    }
  };
}

export function choice(...allowed: unknown[]): Check {
  return (value, pointer, issues) => {
    if (!allowed.includes(value)) issues.push({ pointer, message: 'must be a valid enum value' });
  };
}

export function url(max: number): Check {
  const text = str(1, max);
  return (value, pointer, issues) => {
    text(value, pointer, issues);
    if (typeof value === 'string' && !URL.canParse(value)) issues.push({ pointer, message: 'must be a valid URL' });
  };
}
