import { readdir, readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { HandraiseError, sentenceOf } from '../core/errors.ts';

export type Settings = Readonly<Record<string, unknown>>;

/** Where settings are kept that nobody names on the command line. */
export interface SettingsPlaces {
  /** Settings of the user and of the project: whatever is in them, ours and the permission prompt hold. */
  readonly ordinary: readonly string[];
  /** The organisation's, which stand above ours. */
  readonly managed: readonly string[];
}

/** Where Claude Code 2.1 looks on Linux and macOS. */
export async function usualPlaces(env: NodeJS.ProcessEnv, cwd: string): Promise<SettingsPlaces> {
  const user = env['CLAUDE_CONFIG_DIR'] || join(env['HOME'] || homedir(), '.claude');
  const managed = process.platform === 'darwin' ? '/Library/Application Support/ClaudeCode' : '/etc/claude-code';
  return {
    ordinary: [
      join(user, 'settings.json'),
      join(cwd, '.claude', 'settings.json'),
      join(cwd, '.claude', 'settings.local.json'),
    ],
    managed: [join(managed, 'managed-settings.json'), ...(await jsonFilesIn(join(managed, 'managed-settings.d')))],
  };
}

async function jsonFilesIn(directory: string): Promise<string[]> {
  try {
    return (await readdir(directory)).filter((name) => name.endsWith('.json')).map((name) => join(directory, name));
  } catch (thrown) {
    if (thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT') return [];
    throw refusal(`the settings in ${directory} cannot be listed: ${sentenceOf(thrown)}`, 'Make it readable.');
  }
}

/** A file or inline JSON, as Claude Code takes it. */
export async function settingsGiven(value: string | undefined): Promise<Settings> {
  if (value === undefined) throw refusal('--settings lacks its value', 'Give it a file or JSON, or leave it out.');
  if (value.trimStart().startsWith('{')) return parsed(value, '--settings');
  const settings = await settingsIn(value);
  if (settings === undefined) throw refusal(`there is no file ${value}, given to --settings`, 'Correct its path.');
  return settings;
}

/** Undefined where there is no such file. One that cannot be read might say anything, so it is refused. */
export async function settingsIn(file: string): Promise<Settings | undefined> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (thrown) {
    if (thrown instanceof Error && 'code' in thrown && (thrown.code === 'ENOENT' || thrown.code === 'ENOTDIR'))
      return undefined;
    throw refusal(
      `the settings in ${file} cannot be read: ${sentenceOf(thrown)}`,
      'Make the file readable, or move it.',
    );
  }
  return text.trim() === '' ? {} : parsed(text, file);
}

function parsed(text: string, where: string): Settings {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (thrown) {
    throw refusal(`the settings in ${where} are not JSON: ${sentenceOf(thrown)}`, 'Correct them, or leave them out.');
  }
  if (isObject(value)) return value;
  throw refusal(`the settings in ${where} are no JSON object`, 'Correct them, or leave them out.');
}

export function refuseWithoutHooks(settings: Settings | undefined, where: string): void {
  if (settings?.['disableAllHooks'] !== true) return;
  throw refusal(
    `"disableAllHooks" in ${where} would keep from handraise where each step runs and who wants it`,
    'Remove it, or set gate.writes: open to let the agent write unasked.',
  );
}

/** What an organisation sets above ours so that steps would run past the permission prompt. */
export function refuseManaged(settings: Settings | undefined, where: string): void {
  if (settings === undefined) return;
  refuseWithoutHooks(settings, where);
  const sandbox = settings['sandbox'];
  const setting =
    settings['allowManagedPermissionRulesOnly'] === true
      ? 'allowManagedPermissionRulesOnly'
      : isObject(sandbox) && sandbox['autoAllowBashIfSandboxed'] === true
        ? 'sandbox.autoAllowBashIfSandboxed'
        : undefined;
  if (setting === undefined) return;
  throw refusal(
    `"${setting}" in ${where} would let steps run without handraise’s permission prompt`,
    'Have it removed there, or set gate.writes: open to let the agent write unasked.',
  );
}

export function isObject(value: unknown): value is Settings {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function refusal(sentence: string, hint: string): HandraiseError {
  return new HandraiseError(sentence, { code: 'usage', hint });
}
