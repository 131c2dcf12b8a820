import { existsSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { HandraiseError } from '../core/errors.ts';

/** A program that agents start: absolute, with its arguments, without npx. */
export interface StartCommand {
  readonly command: string;
  readonly args: readonly string[];
}

/** How agents start the bridge. It is always the built one, also from source. Throws `unavailable` when there is none. */
export function bridgeCommand(): StartCommand {
  return { command: process.execPath, args: [built(BRIDGE)] };
}

/** How agents call the hook; like the bridge. */
export function hookCommand(): StartCommand {
  return { command: process.execPath, args: [built(HOOK)] };
}

/** Becomes the bridge in this process (`handraise mcp`). `args` are its own flags. Resolves once it serves. */
export async function becomeBridge(args: readonly string[]): Promise<void> {
  await become(BRIDGE, args);
}

/** Becomes the hook in this process (`handraise hook`). */
export async function becomeHook(args: readonly string[]): Promise<void> {
  await become(HOOK, args);
}

const BRIDGE = { file: 'mcp-start.cjs', name: 'bridge' } as const;
const HOOK = { file: 'hook.cjs', name: 'hook' } as const;

async function become(part: typeof BRIDGE | typeof HOOK, args: readonly string[]): Promise<void> {
  const path = built(part);
  process.argv.splice(1, process.argv.length - 1, path, ...args);
  await import(pathToFileURL(path).href);
}

function built({ file, name }: typeof BRIDGE | typeof HOOK): string {
  // src/bridge/command.ts and dist/src/bridge/command.js are both two folders below what holds it.
  const folder = import.meta.url.endsWith('.ts') ? '../../dist/' : '../../';
  const path = fileURLToPath(new URL(`${folder}${file}`, import.meta.url));
  if (existsSync(path)) return path;
  throw new HandraiseError(`The ${name} is not built: ${path} is missing`, {
    code: 'unavailable',
    hint: 'Run `npm run build` first.',
  });
}
