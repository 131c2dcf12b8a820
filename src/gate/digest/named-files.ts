import { resolve } from 'node:path';
import { argumentOf } from '../effects/shell/argument.ts';
import { refusalToParse } from '../effects/shell/limits.ts';
import { forEachChild, type ParsedScript, parseShell, type SyntaxNode, type Word } from '../effects/shell/parse.ts';
import { isInterpreter, manifestsOf } from './manifests.ts';

/**
 * A path that a command names. `decides`: it runs, so that its absence is bound, too; anything else counts only where it
 * is a file. `upward`: the nearest of that name above counts.
 */
export interface NamedFile {
  readonly path: string;
  readonly decides: boolean;
  readonly upward: boolean;
}

export interface NamedFiles {
  readonly files: readonly NamedFile[];
  /** What may be files and cannot be told from the text, for people. */
  readonly untold: readonly string[];
}

/** Paths of one command, and folders it may have changed into: far more than people write. */
const MOST_FILES = 300;
const MOST_FOLDERS = 8;

/** Texts within texts (`sh -c`), as deep as effects are followed. */
const MAX_DEPTH = 3;

/**
 * Every file that a shell command may take its orders or its input from, as far as the text names it: programs by path,
 * scripts, manifests of known programs, and whatever other words there are, relative to every folder it changes into.
 * What it only writes by redirect is none. Rather too many than too few: a file that is none changes nothing.
 */
export function filesNamedIn(command: string, cwd: string | null): NamedFiles {
  const found = new Collector(cwd);
  found.text(command, 0);
  return found.result();
}

class Collector {
  readonly #folders: string[] = [];
  readonly #files = new Map<string, NamedFile>();
  readonly #untold = new Set<string>();
  #isFull = false;

  constructor(cwd: string | null) {
    if (cwd === null) this.#untold.add('relative paths: where it runs is not known');
    else this.#folders.push(cwd);
  }

  result(): NamedFiles {
    if (this.#isFull) this.#untold.add('some of the files: it names too many');
    return { files: [...this.#files.values()], untold: [...this.#untold] };
  }

  text(text: string, depth: number): void {
    const parsed = refusalToParse(text) === undefined ? parseShell(text) : undefined;
    if (parsed !== undefined && 'script' in parsed) {
      this.#script(parsed.script, depth);
      return;
    }
    if (depth === 0) this.#untold.add('files named in a command that cannot be parsed');
    for (const word of text.slice(0, 20_000).split(/[\s;|&<>()"'`]+/)) this.#path(word, true);
  }

  #script(script: ParsedScript, depth: number): void {
    const visit = (node: SyntaxNode): void => {
      if (node.type === 'Command') this.#command([node.name, ...node.args.filter(isWord)], depth);
      if (node.type === 'Redirect' && node.operator === '<' && node.target !== undefined) this.#word(node.target);
      forEachChild(node, visit);
    };
    visit(script);
  }

  #command([name, ...args]: readonly (Word | undefined)[], depth: number): void {
    if (name === undefined) return;
    const words = [name, ...args].flatMap((word) => (word === undefined ? [] : [argumentOf(word)]));
    let runsNext = true;
    let changesFolder = false;
    for (const { text, literal, source } of words) {
      const isOption = text.startsWith('-') && text !== '-';
      if (!literal) {
        this.#untold.add(`what ${source.slice(0, 80)} stands for`);
        if (!isOption) runsNext = false;
        continue;
      }
      if (depth < MAX_DEPTH && /\s/.test(text)) this.text(text, depth + 1);
      if (isOption) {
        for (const attached of [text.slice(2), afterEquals(text)]) this.#path(attached);
        continue;
      }
      if (changesFolder) this.#changeTo(text);
      // A program by its name only is found on the PATH: no file of the project.
      this.#path(text, runsNext && (text.includes('/') || text !== words[0]?.text));
      this.#path(afterEquals(text));
      if (text.startsWith('@')) this.#path(text.slice(1));
      this.#manifests(text);
      changesFolder = /^(cd|pushd)$/.test(text);
      runsNext = isInterpreter(text);
    }
  }

  #word(word: Word): void {
    const { text, literal, source } = argumentOf(word);
    if (literal) this.#path(text);
    else this.#untold.add(`what ${source.slice(0, 80)} stands for`);
  }

  #manifests(program: string): void {
    const manifests = manifestsOf(program);
    if (manifests === undefined) return;
    for (const folder of this.#folders) {
      for (const name of manifests.names) this.#add(resolve(folder, name), true, manifests.upward);
    }
  }

  /** Both are possible from there on: it may not have worked, or only in a subshell. */
  #changeTo(folder: string): void {
    if (this.#folders.length === 0 && folder.startsWith('/')) this.#folders.push(folder);
    for (const from of [...this.#folders]) {
      const to = resolve(from, folder);
      if (this.#folders.includes(to)) continue;
      if (this.#folders.length < MOST_FOLDERS) this.#folders.push(to);
      else this.#isFull = true;
    }
  }

  #path(text: string, decides = false): void {
    if (text === '' || text.length > 4_096 || text.includes('\0')) return;
    const folders = text.startsWith('/') ? ['/'] : this.#folders;
    for (const folder of folders) this.#add(resolve(folder, text), decides, false);
  }

  #add(path: string, decides: boolean, upward: boolean): void {
    const known = this.#files.get(path);
    if (known === undefined && this.#files.size >= MOST_FILES) {
      this.#isFull = true;
      return;
    }
    const both = { decides: decides || known?.decides === true, upward: upward || known?.upward === true };
    this.#files.set(path, { path, ...both });
  }
}

function isWord(argument: SyntaxNode): argument is Word {
  return argument.type === 'Word';
}

function afterEquals(text: string): string {
  const at = text.indexOf('=');
  return at < 0 ? '' : text.slice(at + 1);
}
