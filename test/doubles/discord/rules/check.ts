import { codePoints, isObj, type Obj } from '../../json.ts';

export type Path = readonly (string | number)[];

/** One rule that a body broke, in Discord's words. */
export interface Issue {
  readonly path: Path;
  readonly code: string;
  readonly message: string;
}

/** Collects what is wrong with one value of a body. */
export interface Place {
  readonly path: Path;
  readonly issues: Issue[];
}

export function add(place: Place, code: string, message: string, ...deeper: Path): void {
  place.issues.push({ path: [...place.path, ...deeper], code, message });
}

export function inside(place: Place, ...deeper: Path): Place {
  return { path: [...place.path, ...deeper], issues: place.issues };
}

interface Length {
  readonly min?: number;
  readonly max: number;
  readonly required?: boolean;
}

/** A member that is text, null or absent. Lengths count code points. */
export function text(place: Place, of: Obj, key: string, { min = 0, max, required = false }: Length): void {
  const value = of[key];
  if (value === undefined || value === null) {
    if (required) add(place, 'BASE_TYPE_REQUIRED', 'This field is required', key);
  } else if (typeof value !== 'string') {
    add(place, 'STRING_TYPE_CONVERT', `Could not interpret "${JSON.stringify(value)}" as string.`, key);
  } else {
    const length = codePoints(value);
    if (length < min || length > max) {
      if (min === 0) add(place, 'BASE_TYPE_MAX_LENGTH', `Must be ${max} or fewer in length.`, key);
      else if (length === 0 && required) add(place, 'BASE_TYPE_REQUIRED', 'This field is required', key);
      else add(place, 'BASE_TYPE_BAD_LENGTH', `Must be between ${min} and ${max} in length.`, key);
    }
    // Half a surrogate pair: somebody cut text in the middle of a character. Discord answers 500 to some of it.
    if (/\p{Surrogate}/u.test(value)) add(place, 'INVALID_UNICODE', 'Holds half a surrogate pair.', key);
  }
}

export function whole(place: Place, of: Obj, key: string, min: number, max: number): void {
  const value = of[key];
  if (value === undefined || value === null) return;
  if (!Number.isInteger(value)) add(place, 'NUMBER_TYPE_COERCE', `Value "${String(value)}" is not int.`, key);
  else if (Number(value) < min)
    add(place, 'NUMBER_TYPE_MIN', `int value should be greater than or equal to ${min}.`, key);
  else if (Number(value) > max) add(place, 'NUMBER_TYPE_MAX', `int value should be less than or equal to ${max}.`, key);
}

export function flag(place: Place, of: Obj, key: string): void {
  const value = of[key];
  if (value === undefined || value === null || typeof value === 'boolean') return;
  add(place, 'BOOLEAN_TYPE_CONVERT', 'Must be either true or false.', key);
}

/** A list of objects within bounds; what is no object is told and left out. */
export function list(place: Place, of: Obj, key: string, min: number, max: number): readonly [Place, Obj][] {
  const value = of[key];
  if (value === undefined || value === null) {
    if (min > 0) add(place, 'BASE_TYPE_REQUIRED', 'This field is required', key);
    return [];
  }
  if (!Array.isArray(value)) {
    add(place, 'LIST_TYPE_CONVERT', 'Only iterables may be used in a ListType', key);
    return [];
  }
  if (value.length < min || value.length > max) {
    if (min === 0) add(place, 'BASE_TYPE_MAX_LENGTH', `Must be ${max} or fewer in length.`, key);
    else add(place, 'BASE_TYPE_BAD_LENGTH', `Must be between ${min} and ${max} in length.`, key);
  }
  return value.flatMap((one: unknown, index): [Place, Obj][] => {
    const there = inside(place, key, index);
    if (isObj(one)) return [[there, one]];
    add(there, 'MODEL_TYPE_CONVERT', 'Only dictionaries may be used in a ModelType');
    return [];
  });
}

export function numberOf(of: Obj, key: string, otherwise: number): number {
  const value = of[key];
  return typeof value === 'number' ? value : otherwise;
}
