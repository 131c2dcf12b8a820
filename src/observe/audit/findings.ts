/**
 * What is wrong with an audit. `changed`: a row is not what was written, or the one before it is not · `missing`: rows
 * that others follow are in no file · `reordered`, `repeated`: rows stand where they were not written · `conflict`: two
 * rows have one number · `cut`: the end of a chain that somebody vouched for is gone · `missing_chain`: a whole file is ·
 * `misplaced`: a row of another file's · `unreadable`: a line is no row · `bad_signature`, `unknown_key`: what vouches for a
 * chain does not count.
 */
export type ProblemCode =
  | 'changed'
  | 'missing'
  | 'reordered'
  | 'repeated'
  | 'conflict'
  | 'cut'
  | 'missing_chain'
  | 'misplaced'
  | 'unreadable'
  | 'bad_signature'
  | 'unknown_key';

/**
 * What a reader has to know, and nothing is wrong with. `torn`: the last line is half a row, as `kill -9` leaves it ·
 * `not_closed`: a run that lives or was killed; what its last rows said cannot be vouched for · `unsigned_end`: rows after
 * the last signed head · `unchecked_heads`: no key was given to check them by · `unchained`: rows of version 1 ·
 * `unsealed`: rows that are only in Redis yet · `deleted`: gone by the configured retention, and a row says so · `empty`.
 */
export type NoteCode =
  | 'torn'
  | 'not_closed'
  | 'unsigned_end'
  | 'unchecked_heads'
  | 'unchained'
  | 'unsealed'
  | 'deleted'
  | 'empty';

export interface Finding<Code extends string> {
  readonly code: Code;
  readonly sentence: string;
  readonly file?: string;
  readonly line?: number;
  readonly chain?: string;
  /** The row's number, or that of the first of several. */
  readonly n?: number;
}

/** Collects what is found. */
export class Findings {
  readonly problems: Finding<ProblemCode>[] = [];
  readonly notes: Finding<NoteCode>[] = [];

  problem(code: ProblemCode, sentence: string, where: Omit<Finding<ProblemCode>, 'code' | 'sentence'> = {}): void {
    this.problems.push({ code, sentence, ...placeOf(where) });
  }

  note(code: NoteCode, sentence: string, where: Omit<Finding<NoteCode>, 'code' | 'sentence'> = {}): void {
    this.notes.push({ code, sentence, ...placeOf(where) });
  }
}

/** Rows and lines are handed over as they are. */
function placeOf({ file, line, chain, n }: Omit<Finding<string>, 'code' | 'sentence'>) {
  return {
    ...(file === undefined ? {} : { file }),
    ...(line === undefined ? {} : { line }),
    ...(chain === undefined ? {} : { chain }),
    ...(n === undefined ? {} : { n }),
  };
}
