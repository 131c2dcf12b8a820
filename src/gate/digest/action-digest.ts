import { createHmac } from 'node:crypto';
import { basename, dirname, join, resolve } from 'node:path';
import { canonicalJson } from '../../core/canonical-json.ts';
import { type FileState, fileState, type ReadingBudget, readingBudget } from './file-state.ts';
import { filesNamedIn, type NamedFile, type NamedFiles } from './named-files.ts';
import { semanticInput } from './semantic-input.ts';

/** What is about to happen, as far as the gate knows it. */
export interface Action {
  readonly tool: string;
  readonly input: unknown;
  /** The folder it happens in; null when that is not known. */
  readonly cwd: string | null;
  /** What the gate took it for. Another judgement of the same words is another action. */
  readonly effect: string;
  /** Resolved paths of what it writes, as they were judged. */
  readonly targets: readonly string[];
}

export interface ActionDigest {
  /** Lower-case hex. */
  readonly digest: string;
  /** What of the action can change without changing the digest, for people. */
  readonly unbound: readonly string[];
}

/** Members of a tool's input that hold a shell command. */
const COMMAND = 'command';
/** Members that name a file by convention of the agents' own tools. */
const FILE_MEMBERS: ReadonlySet<string> = new Set(['file_path', 'notebook_path', 'path', 'filePath', 'absolute_path']);

const MOST_STRINGS = 100;
const MOST_LEVELS_UP = 40;

/**
 * HMAC-SHA256 over everything that decides what happens: tool, input (not what is only said about it), folder, judgement,
 * and the contents of the files that are named: scripts, manifests, files to be edited. Assignments of environment
 * variables that the command makes are part of its text. Reads the disk at every call: made again right before a step
 * runs, it tells whether that is what was on the card. Throws a `TypeError` for an input that JSON cannot say.
 */
export async function actionDigest(action: Action, salt: string): Promise<ActionDigest> {
  const { tool, cwd, effect, targets } = action;
  const input = semanticInput(tool, action.input);
  const named = filesOf(input, cwd);
  const unbound = new Set(named.untold);
  const files = await statesOf(named.files, unbound);
  const text = canonicalJson({ v: 1, tool, input, cwd, effect, targets: [...targets].sort(), files });
  return { digest: createHmac('sha256', salt).update(text).digest('hex'), unbound: [...unbound] };
}

function filesOf(input: unknown, cwd: string | null): NamedFiles {
  const command = memberOf(input, COMMAND);
  if (typeof command === 'string') return filesNamedIn(command, cwd);
  const files: NamedFile[] = [];
  for (const { name, text } of stringsIn(input)) {
    const isPath = text.startsWith('/') || (cwd !== null && text !== '' && !/[\n\0]/.test(text));
    if (!isPath || text.length > 4_096) continue;
    files.push({ path: resolve(cwd ?? '/', text), decides: FILE_MEMBERS.has(name), upward: false });
  }
  return { files, untold: [] };
}

/** Sorted by path, so that the same files give the same text however they are named. */
async function statesOf(
  files: readonly NamedFile[],
  unbound: Set<string>,
): Promise<readonly { readonly path: string; readonly state: FileState }[]> {
  const budget = readingBudget();
  const states: { path: string; state: FileState }[] = [];
  for (const file of [...files].sort((a, b) => (a.path < b.path ? -1 : 1))) {
    const { path, state } = await foundState(file, budget);
    if (state.kind === 'too-large' || state.kind === 'unreadable') unbound.add(`the content of ${path}`);
    if (file.decides && state.kind === 'folder') unbound.add(`the content of the folder ${path}`);
    const counts = state.kind !== 'absent' && state.kind !== 'folder' && state.kind !== 'other';
    if (file.decides || counts) states.push({ path, state });
  }
  return states;
}

/** The file itself, or the nearest of its name above. */
async function foundState(
  { path, upward }: NamedFile,
  budget: ReadingBudget,
): Promise<{ path: string; state: FileState }> {
  const state = await fileState(path, budget);
  if (!upward || state.kind !== 'absent') return { path, state };
  const name = basename(path);
  let folder = dirname(path);
  for (let level = 0; level < MOST_LEVELS_UP && dirname(folder) !== folder; level += 1) {
    folder = dirname(folder);
    const above = join(folder, name);
    const found = await fileState(above, budget);
    if (found.kind !== 'absent') return { path: above, state: found };
  }
  return { path, state };
}

function* stringsIn(input: unknown, name = '', seen = { count: 0 }): Generator<{ name: string; text: string }> {
  if (seen.count >= MOST_STRINGS) return;
  if (typeof input === 'string') {
    seen.count += 1;
    yield { name, text: input };
  } else if (typeof input === 'object' && input !== null) {
    for (const [key, member] of Object.entries(input))
      yield* stringsIn(member, Array.isArray(input) ? name : key, seen);
  }
}

function memberOf(input: unknown, name: string): unknown {
  if (typeof input !== 'object' || input === null) return undefined;
  return Object.entries(input).find(([key]) => key === name)?.[1];
}
