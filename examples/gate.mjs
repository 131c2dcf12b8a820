// A small agent host: every tool call of its model goes through the gate before it is run.
//
//   node examples/gate.mjs           decided by gate.script.json: no chat, no tokens
//   node examples/gate.mjs --live    put to the approvers of your configuration
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openHandraise } from 'handraise';

const live = process.argv.includes('--live');
const script = fileURLToPath(new URL('gate.script.json', import.meta.url));
const workspace = mkdtempSync(join(tmpdir(), 'handraise-example-'));
const handraise = await openHandraise(live ? { workspace } : { workspace, script });

/** What a model might ask for, one call after the other. */
const calls = [
  { tool: 'Bash', input: { command: 'ls -l' } },
  { tool: 'Write', input: { file_path: join(workspace, 'a.txt'), content: 'one\n' } },
  { tool: 'Write', input: { file_path: join(workspace, 'b.txt'), content: 'two\n' } },
  { tool: 'Bash', input: { command: 'git push origin main' } },
];

async function take(call) {
  const facts = { cwd: workspace, turnId: 'prompt-1' };
  const decision = await handraise.gate.check(call, facts);
  if (decision.behavior === 'deny') return `denied (${decision.kind})`;
  // Nothing but what was judged is run.
  const { input } = decision;
  if (call.tool === 'Write') writeFileSync(input.file_path, input.content);
  return 'allowed';
}

try {
  for (const call of calls) {
    const what = call.input.command ?? `${call.tool} ${call.input.file_path.slice(workspace.length + 1)}`;
    console.log(`${what}: ${await take(call)}`);
  }
  // What was allowed for the turn ends here.
  await handraise.gate.turnEnded('prompt-1');
  console.log(`written: ${readdirSync(workspace).sort().join(', ')}`);
} finally {
  await handraise.close();
  rmSync(workspace, { recursive: true });
}
