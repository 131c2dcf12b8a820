import { cookieSecrets, kindOf } from '../../core/redact/assignments.ts';
import { suspicionOf } from '../../core/redact/names.ts';
import type { SecretSpan } from '../../core/redact/span.ts';
import { isNoWord, isPath, isPlaceholder, looksMade } from '../../core/redact/values.ts';
import { refusalToParse } from '../effects/shell/limits.ts';
import { type Command, forEachChild, parseShell, type SyntaxNode } from '../effects/shell/parse.ts';
import { looseCommands } from './loose-words.ts';
import { type SecretUse, secretUses } from './programs.ts';
import { type PlacedWord, placed, spansIn } from './word.ts';

/** Scripts within quotes are followed so deep. */
const MOST_DEPTH = 2;

/**
 * Where secrets stand in a command: values of options, operands and assignments that programs take them from, and what is
 * written into a program that reads one. Never in a word that holds none, and never what a variable or a command puts in.
 * For any text: what the shell would not take is looked at word by word.
 */
export function secretPositions(text: string): SecretSpan[] {
  return positionsIn(text, 0, 0);
}

function positionsIn(text: string, shift: number, depth: number): SecretSpan[] {
  const commands = commandsIn(text);
  const spans = commands.flatMap(({ words, feeds }) => [
    ...words.flatMap((_, index) => ofProgram(words, index, text)),
    ...words.flatMap((word, index) => (index === 0 ? [] : ofOption(words, word, index))),
    ...words.flatMap((word) => ofAssignment(word)),
    ...(feeds ? ofProducer(words) : []),
    ...words.flatMap((word) => ofQuoted(word, text, depth)),
  ]);
  return spans.map((span) => ({ ...span, start: span.start + shift, end: span.end + shift }));
}

interface PlacedCommand {
  readonly words: readonly PlacedWord[];
  /** What it writes is read as a secret by the next command of its pipeline. */
  readonly feeds: boolean;
}

function commandsIn(text: string): PlacedCommand[] {
  const parsed = refusalToParse(text) === undefined ? parseShell(text) : { fault: 'refused' };
  if ('fault' in parsed) return looseCommands(text).map((words) => ({ words, feeds: false }));
  const feeding = new Set<SyntaxNode>();
  const commands: PlacedCommand[] = [];
  const visit = (node: SyntaxNode): void => {
    if (node.type === 'Pipeline') {
      node.commands.forEach((command, index) => {
        const next = node.commands[index + 1];
        if (command.type === 'Command' && next?.type === 'Command' && readsSecret(wordsOf(next, text)))
          feeding.add(command);
      });
    }
    if (node.type === 'Command') {
      commands.push({ words: wordsOf(node, text), feeds: feeding.has(node) });
      const typed = node.redirects.flatMap((one) =>
        one.type === 'HereString' && one.target ? [placed(one.target, text)] : [],
      );
      if (typed.length > 0 && readsSecret(wordsOf(node, text))) commands.push({ words: [ECHO, ...typed], feeds: true });
    }
    forEachChild(node, visit);
  };
  visit(parsed.script);
  return commands;
}

/** Stands for whatever writes a here-string. */
const ECHO: PlacedWord = { text: 'echo', pieces: [], start: 0, end: 0 };

function wordsOf(command: Command, text: string): PlacedWord[] {
  const assigned = [...command.prefix, ...command.args].flatMap((one) => (one.type === 'Assignment' ? [one] : []));
  const whole = (one: (typeof assigned)[number]): PlacedWord | undefined => {
    if (one.value.type !== 'Word') return undefined;
    const value = placed(one.value, text);
    const name = text.slice(one.pos, one.value.pos);
    return {
      text: name + value.text,
      pieces: [{ start: one.pos, end: one.value.pos, value: name }, ...value.pieces],
      start: one.pos,
      end: one.end,
    };
  };
  const prefix = command.prefix.flatMap((one) => (one.type === 'Assignment' ? (whole(one) ?? []) : []));
  const args = command.args.flatMap((one) => (one.type === 'Assignment' ? (whole(one) ?? []) : [placed(one, text)]));
  return [...(command.name === undefined ? [] : [placed(command.name, text)]), ...args, ...prefix];
}

function nameOf(word: PlacedWord | undefined): string {
  return (word?.text ?? '').replace(/^.*\//s, '').replace(/\.exe$/, '');
}

const READS_SECRET = /^(?:chpasswd|smbpasswd|passwd|cryptsetup)$/;

/** Whether a program takes a secret from its standard input. */
function readsSecret(words: readonly PlacedWord[]): boolean {
  const texts = words.map(({ text }) => text);
  const names = words.map(nameOf);
  if (texts.some((text) => /^--?(?:password|passphrase|token|pass|secret)-?(?:stdin|fd)\b|^--with-token$/.test(text)))
    return true;
  if (names.some((name) => READS_SECRET.test(name))) return true;
  if (names.includes('sudo') && texts.some((text) => /^-[A-Za-z]*S/.test(text) || text === '--stdin')) return true;
  return (
    /^(?:gh secret set|wrangler secret put|vault login -|ssh-add -|doctl auth init|vercel env add)\b/.test(
      texts.join(' '),
    ) || /\bsecret (?:put|set)\b/.test(texts.slice(0, 4).join(' '))
  );
}

function ofProducer([name, ...words]: readonly PlacedWord[]): SecretSpan[] {
  if (!/^(?:echo|printf)$/.test(nameOf(name))) return [];
  return words.flatMap((word) => {
    if (/^-[neE]+$/.test(word.text) || /^%\w|^%s\\n$/.test(word.text)) return [];
    // `user:password` for chpasswd.
    const colon = /^[a-z_][\w-]{0,31}:/.exec(word.text)?.[0].length ?? 0;
    return isPlaceholder(word.text) ? [] : spansIn(word, 'password', colon);
  });
}

/** Words of one program that are looked at. */
const MOST_WORDS = 256;

function ofProgram(words: readonly PlacedWord[], index: number, text: string): SecretSpan[] {
  const name = nameOf(words[index]);
  const rules = secretUses(name) ?? [];
  if (rules.length === 0) return [];
  const ahead = words.slice(index + 1, index + 1 + MOST_WORDS);
  const again = ahead.findIndex((word) => nameOf(word) === name);
  const rest = again < 0 ? ahead : ahead.slice(0, again);
  return rules.flatMap((rule) => {
    const from = afterWords(rest, rule.after ?? []);
    return from < 0 ? [] : ofRule(rule, rest, rest.slice(from), text);
  });
}

/** Behind the last of the words, in their order; -1 when one is missing. Options in between are passed over. */
function afterWords(words: readonly PlacedWord[], wanted: readonly string[]): number {
  let next = 0;
  if (wanted.length === 0) return 0;
  for (const [index, { text }] of words.entries()) {
    if (text === wanted[next]) next += 1;
    if (next === wanted.length) return index + 1;
  }
  return -1;
}

function ofRule(rule: SecretUse, all: readonly PlacedWord[], rest: readonly PlacedWord[], text: string): SecretSpan[] {
  const spans: SecretSpan[] = [];
  const { options = [], glued = [], pairs = [], cookies = [], operands = [], separator = ':', settings } = rule;
  for (const [index, word] of all.entries()) {
    for (const option of options)
      spans.push(...optionValue(all, index, option).flatMap(({ of, from }) => secretIn(of, from)));
    for (const option of glued)
      if (word.text.startsWith(option) && word.text.length > option.length)
        spans.push(...secretIn(word, option.length));
    for (const option of pairs) {
      const isGlued = option.length === 2 && word.text.startsWith(option) && word.text.length > 2;
      if (isGlued) spans.push(...pairIn(word, 2, separator));
    }
    for (const option of pairs)
      spans.push(...optionValue(all, index, option).flatMap(({ of, from }) => pairIn(of, from, separator)));
    for (const option of cookies)
      spans.push(
        ...optionValue(all, index, option).flatMap(({ of }) =>
          of.pieces.flatMap(({ start, end }) => cookieSecrets(text, start, end)),
        ),
      );
    if (Array.isArray(settings)) {
      for (const option of settings)
        spans.push(...optionValue(all, index, option).flatMap(({ of, from }) => settingIn(of, from)));
    }
  }
  const plain = rest.filter(({ text: word }) => !word.startsWith('-'));
  for (const number of operands) {
    const word = plain[number - 1];
    if (word !== undefined) spans.push(...(separator === '/' ? pairIn(word, 0, '/') : secretIn(word, 0)));
  }
  if (rule.named === true) {
    const [name, value] = plain;
    if (name !== undefined && value !== undefined && isTelling(name.text)) spans.push(...secretIn(value, 0));
  }
  if (settings === true) for (const word of plain) spans.push(...settingIn(word, 0));
  return spans;
}

function isTelling(name: string): boolean {
  const suspicion = suspicionOf(name.replace(/^.*[:.]/, '')) ?? suspicionOf(name);
  return suspicion === 'surely' || suspicion === 'likely' || /^(?:pypi-token\.|.*:_auth$)/.test(name);
}

/** The value of an option, if it is at `index`: after an equals sign, or the next word. */
function optionValue(words: readonly PlacedWord[], index: number, option: string): { of: PlacedWord; from: number }[] {
  const word = words[index];
  if (word === undefined) return [];
  if (word.text === option) {
    const next = words[index + 1];
    return next === undefined || (next.text.startsWith('-') && !/^-.{6,}\d/.test(next.text))
      ? []
      : [{ of: next, from: 0 }];
  }
  if (!word.text.startsWith(option)) return [];
  if (word.text[option.length] === '=') return [{ of: word, from: option.length + 1 }];
  return [];
}

function secretIn(word: PlacedWord, from: number): SecretSpan[] {
  const value = word.text.slice(from);
  if (value === '' || isPlaceholder(value) || isPath(value) || value.includes('://')) return [];
  // `-passin file:x`, `env:NAME`: names of places.
  if (/^(?:file|env|fd|stdin):/.test(value)) return [];
  return spansIn(word, 'password', from + (value.startsWith('pass:') ? 5 : 0));
}

function pairIn(word: PlacedWord, from: number, separator: string): SecretSpan[] {
  const at = word.text.indexOf(separator, from);
  if (at < 0 || at === word.text.length - 1 || word.text.includes('://')) return [];
  const until = separator === '/' ? word.text.indexOf('@', at) : -1;
  return spansIn(word, 'password', at + 1, until < 0 ? undefined : until);
}

function settingIn(word: PlacedWord, from: number): SecretSpan[] {
  const sign = word.text.indexOf('=', from);
  return sign < 0 || word.text.startsWith('@', sign + 1) ? [] : secretIn(word, sign + 1);
}

/** `--password x`, `-storepass x`, `--db-password=x`, of any program. */
function ofOption(words: readonly PlacedWord[], word: PlacedWord, index: number): SecretSpan[] {
  const [, name] = /^--?([A-Za-z][\w.-]*)$/.exec(word.text) ?? [];
  const next = words[index + 1];
  if (name === undefined || next === undefined || next.text.startsWith('-')) return [];
  if (word.text.startsWith('-') && !word.text.startsWith('--') && name.length < 4) return [];
  if (
    /^(?:no|ask|with|use|prompt|skip|print|show|list|is|has|require|generate|rotate)-/.test(name) ||
    secretUses(nameOf(words[0]))?.some(({ asks }) => asks)
  )
    return [];
  // `docker build --secret id=x`, `pulumi --secret name`: what is named so, not what is secret.
  if (name === 'secret' && (!isNoWord(next.text) || /^\w+=/.test(next.text))) return [];
  return worthyOf(name, next.text) ? secretIn(next, 0).map((span) => ({ ...span, kind: kindOf(name) })) : [];
}

/** `NAME=x` as a word of its own, `--name=x`, `-Dname=x`. */
function ofAssignment(word: PlacedWord): SecretSpan[] {
  const [whole, name] = /^-{0,2}([\w.-]+)\+?=/.exec(word.text) ?? [];
  if (whole === undefined || name === undefined) return [];
  const value = word.text.slice(whole.length);
  // More settings in one: the rules for texts tell them apart.
  const isOneOfMany = /\s/.test(value) && (word.pieces[0]?.value.length ?? 0) > whole.length;
  if (isOneOfMany || /[,;&][\w.-]+=/.test(value) || !worthyOf(name, value)) return [];
  return secretIn(word, whole.length).map((span) => ({ ...span, kind: kindOf(name) }));
}

function worthyOf(name: string, value: string): boolean {
  const suspicion = suspicionOf(name);
  if (suspicion === 'surely') return !/^\d{1,3}$/.test(value) && !(/^\d+$/.test(value) && /token/i.test(name));
  return suspicion === 'likely' ? isNoWord(value) : suspicion === 'maybe' && looksMade(value);
}

/** A script in quotes: `sh -c '…'`, `ssh host "…"`. */
function ofQuoted(word: PlacedWord, text: string, depth: number): SecretSpan[] {
  if (depth >= MOST_DEPTH) return [];
  return word.pieces.flatMap(({ start, end }) => {
    const inner = text.slice(start, end);
    return /\S\s+\S/.test(inner) && inner.length < text.length ? positionsIn(inner, start, depth + 1) : [];
  });
}
