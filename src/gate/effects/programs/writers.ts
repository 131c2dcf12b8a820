import { targetsIn } from '../facts.ts';
import { type FlagTable, flagParser, type Parsed } from '../flags.ts';
import { pathsOf } from '../folders.ts';
import { persistenceOf } from '../redirects.ts';
import { type Judgement, type Rule, worst } from '../rule.ts';
import { secretsIn } from '../secrets.ts';
import type { Argument } from '../shell/argument.ts';

/** Of the words that are no options, those that name what is written. */
type Written = (parsed: Parsed) => readonly Argument[];

/**
 * A program that writes what it is told to, and says so where that decides what runs later. `table`: its options; with
 * one that is not in it nobody can tell which words are files.
 */
function writer(reason: string, table: FlagTable, written: Written): Rule {
  const parse = flagParser({ ...table, harmless: true });
  return (args, shell) => {
    const parsed = parse(args);
    const named = written(parsed);
    const { targets, writesMore } = targetsIn(named, shell.folders);
    const tags = args.flatMap((word) => pathsOf(word, shell.folders).flatMap(persistenceOf));
    const isUnclear = parsed.judgement.effect !== 'read' || named.length === 0;
    return { effect: 'write', reason, tags, targets, writesMore: writesMore || isUnclear };
  };
}

const every: Written = ({ operands }) => operands;
const butFirst: Written = ({ operands }) => operands.slice(1);

/** Where a copy goes: the last word, or the folder of -t, and in a folder a file of each name. */
function copier(reason: string, table: FlagTable, isMoving: boolean): Rule {
  const parse = flagParser({ ...table, harmless: true });
  return (args, shell) => {
    const parsed = parse(args);
    const { operands, values } = parsed;
    const folder = values.get('-t') ?? values.get('--target-directory');
    const sources = folder === undefined ? operands.slice(0, -1) : operands;
    const destination = folder ?? operands.at(-1);
    const written = targetsIn(destination === undefined || sources.length === 0 ? [] : [destination], shell.folders);
    const into = sources.map(({ text }) => text.replace(/\/+$/, '').replace(/^.*\//, ''));
    const removed = targetsIn(isMoving ? sources : [], shell.folders);
    const isUnclear =
      parsed.judgement.effect !== 'read' || written.targets.length === 0 || sources.some(({ literal }) => !literal);
    const judged: Judgement = {
      effect: 'write',
      reason,
      tags: args.flatMap((word) => pathsOf(word, shell.folders).flatMap(persistenceOf)),
      targets: [...removed.targets, ...written.targets.map((target) => ({ ...target, into }))],
      writesMore: written.writesMore || removed.writesMore || isUnclear,
      relocates: isMoving,
    };
    return worst(judged, copied(sources));
  };
}

/** A copy of a secret under another name is read as any other file. */
function copied(sources: readonly Argument[]): Judgement | undefined {
  return secretsIn({ operands: sources.map((word) => ({ ...word, text: word.text.replace(/^if=/, '') })) });
}

/** `dd if=a of=b`. */
const dd: Rule = (args, shell) => {
  const written = args
    .filter(({ text }) => text.startsWith('of='))
    .map((word) => ({ ...word, text: word.text.slice(3), source: word.source.slice(3) }));
  const judged: Judgement = {
    effect: 'write',
    reason: 'copies bytes to files or devices',
    tags: written.flatMap((word) => persistenceOf(word.text)),
    ...targetsIn(written, shell.folders),
    ...(args.some(({ literal }) => !literal) ? { writesMore: true } : {}),
  };
  return worst(judged, copied(args));
};

/** Links make other names lead elsewhere: what they do is never known to be all. */
const ln: Rule = (args, shell) => {
  const names = args.filter(({ text }) => !text.startsWith('-'));
  const judged: Judgement = {
    effect: 'write',
    reason: 'makes links',
    tags: args.flatMap((word) => pathsOf(word, shell.folders).flatMap(persistenceOf)),
    targets: targetsIn(names.slice(1), shell.folders).targets,
    writesMore: true,
    relocates: true,
  };
  return worst(judged, copied(names));
};

/** `tee`, which only prints where it is given nowhere else. */
const tee: Rule = (args, shell) => {
  const { judgement, operands } = flagParser({ read: '-a -i -p --append --ignore-interrupts' })(args);
  const written = operands.filter(({ text, literal }) => !(literal && text === '/dev/null'));
  if (judgement.effect === 'read' && written.length === 0) return { effect: 'read', reason: 'prints' };
  return writer('writes its operands', { read: '-a -i -p --append --ignore-interrupts' }, () => written)(args, shell);
};

const COPY = '-f -i -n -p -u -v -b -T -t: --force --no-clobber --update --verbose --target-directory= --interactive';

/** What makes, changes, copies and removes files. */
export const WRITERS: Readonly<Record<string, Rule>> = {
  mkdir: writer('makes directories', { read: '-p -v -m: --parents --verbose --mode=' }, every),
  touch: writer(
    'makes files or changes their times',
    { read: '-a -c -m -h -d: -t: -r: --date= --no-create --reference= --time=' },
    every,
  ),
  'rm unlink': writer(
    'removes files',
    { read: '-r -R -f -i -I -v -d --recursive --force --verbose --dir --one-file-system' },
    every,
  ),
  rmdir: writer('removes directories', { read: '-p -v --parents --verbose --ignore-fail-on-non-empty' }, every),
  cp: copier('makes or replaces files', { read: COPY }, false),
  mv: copier('makes, replaces and removes files', { read: COPY }, true),
  install: copier('makes or replaces files', { read: `${COPY} -m: -o: -g: --mode= --owner= --group=` }, false),
  'ln link': ln,
  'chmod chown chgrp': writer('changes who may use files', { read: '-v -c -f --verbose --changes --silent' }, butFirst),
  'chattr setfacl xattr': writer('changes who may use files', {}, () => []),
  'truncate shred fallocate': writer(
    'changes or destroys files',
    { read: '-s: -c -o -u -v -z -n: -l: --size=' },
    every,
  ),
  'mkfifo mknod': writer('makes files', { read: '-m: --mode=' }, every),
  mktemp: writer('makes files', {}, () => []),
  dd,
  tee,
  patch: writer('edits files', {}, () => []),
  'trash trash-put gio rename mmv': writer('moves or removes files', {}, () => []),
  'sponge vipe': writer('writes its operand', {}, every),
};
