import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Redis } from 'ioredis';
import { moreRedactionCases, redactionCases } from './redaction-cases.ts';

/** Every secret of the corpus and of the places beyond it. */
const SECRETS: readonly string[] = [
  ...new Set([...redactionCases, ...moreRedactionCases].flatMap(({ secrets }) => secrets)),
];

/** The secrets that can be read in it, as they are or as JSON writes them. */
export function leaksIn(text: string): string[] {
  return SECRETS.filter((secret) => text.includes(secret) || text.includes(JSON.stringify(secret).slice(1, -1)));
}

/** Every file beneath a folder, as one text. */
export function everythingIn(folder: string): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
    .join('\n');
}

/** Records every command that a Redis server is sent, by anybody, scripts' own ones included. */
export async function monitored(client: Redis): Promise<{ text(): string; stop(): void }> {
  const monitor = await client.monitor();
  const commands: string[] = [];
  monitor.on('monitor', (_time: string, args: readonly string[]) => commands.push(args.join(' ')));
  return { text: () => commands.join('\n'), stop: () => monitor.disconnect() };
}
