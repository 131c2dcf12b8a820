#!/usr/bin/env node
// The committed, executable entry: it only finds the build, so that a clone without one gets a sentence, not a stack.
import { existsSync } from 'node:fs';

const built = new URL('./dist/src/main.js', import.meta.url);
if (existsSync(built)) {
  await import(built.href);
} else {
  process.stderr.write('handraise: not built yet. Run `npm run build` in this folder first (npm ci does it too).\n');
  process.exitCode = 69;
}
