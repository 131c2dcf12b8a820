import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Gating } from '../core/ports/agent-integration.ts';
import {
  isObject,
  refusal,
  refuseManaged,
  refuseWithoutHooks,
  type Settings,
  type SettingsPlaces,
  settingsGiven,
  settingsIn,
  usualPlaces,
} from './claude-settings-files.ts';
import { usesOf } from './flags.ts';
import { shellWords } from './shell-words.ts';

/** The hook's own limit in seconds: it waits 5 s for the socket and 10 s for the owner at most. */
const HOOK_SECONDS = 20;

/** What the gate is told by: steps, and the beginnings and ends of turns and sessions. */
const HOOK_EVENTS = ['PreToolUse', 'UserPromptSubmit', 'Stop', 'SessionEnd'] as const;

/**
 * The arguments with settings under which every step of Claude Code comes before its permission prompt:
 * `permissions.ask: ["*"]` beats allow rules, every permission mode and what hooks say (measured with 2.1.197). Claude
 * Code takes the last `--settings` only, so that the user's own are merged into ours, which stand in their place. Throws
 * `usage` for settings that cannot be read, and for those that would undo ours.
 */
export async function withGatedSettings(
  given: readonly string[],
  { hook, directory, socketPath }: Gating & { readonly directory: string; readonly socketPath: string },
  elsewhere?: SettingsPlaces,
): Promise<string[]> {
  const places = elsewhere ?? (await usualPlaces(process.env, process.cwd()));
  const uses = usesOf(given, ['--settings'], 'one');
  const own = uses.at(-1);
  const users = own === undefined ? {} : await settingsGiven(own.values[0]);
  refuseWithoutHooks(users, '--settings');
  for (const file of places.ordinary) refuseWithoutHooks(await settingsIn(file), file);
  for (const file of places.managed) refuseManaged(await settingsIn(file), file);
  const command = shellWords([hook.command, ...hook.args, '--socket', socketPath]);
  const file = join(directory, 'claude-settings.json');
  await writeFile(file, `${JSON.stringify(merged(users, command), null, 2)}\n`, { mode: 0o600 });
  const ours = `--settings=${file}`;
  if (uses.length === 0) return [ours, ...given];
  // In place: taken out, it would leave what follows it to a list flag before it.
  return given.flatMap((argument, index) => {
    const use = uses.find(({ at, length }) => index >= at && index < at + length);
    return use === undefined ? [argument] : index === use.at ? [ours] : [];
  });
}

/** The user's settings with ours in them. Lists are joined; where both say something else, ours counts. */
function merged(users: Settings, command: string): Settings {
  const permissions = memberOf(users, 'permissions');
  const hooks = memberOf(users, 'hooks');
  const ours = HOOK_EVENTS.map((event) => {
    const matcher = event === 'PreToolUse' ? { matcher: '*' } : {};
    return [
      event,
      [...listOf(hooks, event), { ...matcher, hooks: [{ type: 'command', command, timeout: HOOK_SECONDS }] }],
    ] as const;
  });
  return {
    ...users,
    permissions: { ...permissions, ask: [...listOf(permissions, 'ask'), '*'] },
    hooks: { ...hooks, ...Object.fromEntries(ours) },
    // A sandboxed command would otherwise run without the permission prompt.
    sandbox: { ...memberOf(users, 'sandbox'), autoAllowBashIfSandboxed: false },
  };
}

function memberOf(settings: Settings, name: string): Settings {
  const value = settings[name];
  if (value === undefined) return {};
  if (isObject(value)) return value;
  throw refusal(`"${name}" in --settings is not an object`, 'Correct it, or leave it out.');
}

function listOf(settings: Settings, name: string): readonly unknown[] {
  const value = settings[name];
  if (value === undefined) return [];
  if (Array.isArray(value)) return value;
  throw refusal(`"${name}" in --settings is not a list`, 'Correct it, or leave it out.');
}
