import { existsSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { HandraiseError } from '../core/errors.ts';

/**
 * How agents start the bridge: an absolute program and its arguments, without npx. It is always the built bridge, also
 * when this module runs from source. Throws `unavailable` when there is none.
 */
export function bridgeCommand(): { readonly command: string; readonly args: readonly string[] } {
  return { command: process.execPath, args: [builtBridge()] };
}

/** Becomes the bridge in this process (`handraise mcp`). `args` are its own flags. Resolves once it serves. */
export async function becomeBridge(args: readonly string[]): Promise<void> {
  const path = builtBridge();
  process.argv.splice(1, process.argv.length - 1, path, ...args);
  await import(pathToFileURL(path).href);
}

function builtBridge(): string {
  // src/bridge/command.ts and dist/src/bridge/command.js are both two folders below what holds it.
  const folder = import.meta.url.endsWith('.ts') ? '../../dist/' : '../../';
  const path = fileURLToPath(new URL(`${folder}mcp-start.cjs`, import.meta.url));
  if (existsSync(path)) return path;
  throw new HandraiseError(`The bridge is not built: ${path} is missing`, {
    code: 'unavailable',
    hint: 'Run `npm run build` first.',
  });
}
