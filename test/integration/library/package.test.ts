import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

const JS = `
import { HandraiseError, openHandraise } from 'handraise';
const handraise = await openHandraise();
const { outcome } = await handraise.ask({ question: 'Which?', options: ['a', 'b'] });
await handraise.close();
console.log(outcome, typeof HandraiseError);
`;

const TS = `
import { type Asked, type GateReply, type Handraise, type Proposed, openHandraise } from 'handraise';
const handraise: Handraise = await openHandraise({ agent: 'typed', wait: '2m' });
const asked: Asked = await handraise.ask({ questions: [{ question: 'Which?', options: ['a', 'b'] }] });
const said: string = asked.answers === undefined ? asked.outcome : String(asked.answers['Which?']);
const proposed: Proposed = await handraise.propose({ command: 'ls' });
const reply: GateReply = await handraise.gate.check({ tool: 'Bash', input: { command: 'ls' } }, { cwd: '/' });
const options = handraise.claudeOptions({ model: 'm' });
const words: [string, string, number] = [options.model, reply.behavior, options.hooks.Stop.length];
// @ts-expect-error Where a call runs has to be said.
void handraise.gate.check({ tool: 'Bash', input: {} }, {});
await handraise.close();
console.log(said, proposed.outcome, words.join(' '));
`;

let consumer: string;
beforeAll(async () => {
  consumer = realpathSync(mkdtempSync(join(tmpdir(), 'hr-consumer-')));
  // Without scripts: building anew would pull dist from under other tests.
  const packed = await execa('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', consumer], {
    cwd: ROOT,
    env: { npm_config_cache: join(consumer, 'cache'), npm_config_update_notifier: 'false' },
  });
  const [{ filename }] = JSON.parse(packed.stdout) as [{ filename: string }];
  const installed = join(consumer, 'node_modules/handraise');
  mkdirSync(installed, { recursive: true });
  await execa('tar', ['-xzf', join(consumer, filename), '-C', installed, '--strip-components=1']);
  // What it says it depends on, and nothing else, as it is installed here.
  const { dependencies } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  for (const name of [...Object.keys(dependencies), '@types/node']) {
    const link = join(consumer, 'node_modules', name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules', name), link);
  }
  writeFileSync(join(consumer, 'package.json'), JSON.stringify({ type: 'module' }));
  writeFileSync(join(consumer, 'js.js'), JS);
  writeFileSync(join(consumer, 'ts.ts'), TS);
  writeFileSync(
    join(consumer, 'tsconfig.json'),
    JSON.stringify({
      compilerOptions: {
        strict: true,
        module: 'nodenext',
        target: 'es2022',
        types: ['node'],
        outDir: 'out',
        rootDir: '.',
        exactOptionalPropertyTypes: true,
      },
      files: ['ts.ts'],
    }),
  );
}, 120_000);
afterAll(() => rmSync(consumer, { recursive: true, force: true }));

describe('the package', () => {
  it('is imported by a JavaScript program, which ends by itself', async () => {
    expect(await run('js.js')).toEqual({ stdout: 'no_channel function', stderr: '', exitCode: 0 });
  });

  it('is typed for a TypeScript program, which runs as it was compiled', async () => {
    const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
    const compiled = await execa(process.execPath, [tsc, '-p', '.'], { cwd: consumer, reject: false });
    expect(compiled.stdout).toBe('');
    expect(compiled.exitCode).toBe(0);
    expect(await run('out/ts.js')).toEqual({ stdout: 'no_channel granted m allow 1', stderr: '', exitCode: 0 });
  });

  it('holds the examples, which run from where it is installed', async () => {
    const { stdout, exitCode } = await run('node_modules/handraise/examples/ask.mjs');
    expect({ stdout, exitCode }).toEqual({ stdout: 'answered by operator: SQLite; eu and us', exitCode: 0 });
  });
});

async function run(program: string) {
  const home = join(consumer, 'home');
  mkdirSync(home, { recursive: true });
  const { stdout, stderr, exitCode } = await execa(process.execPath, [join(consumer, program)], {
    cwd: consumer,
    env: { HOME: home, PATH: process.env['PATH'] ?? '' },
    extendEnv: false,
    reject: false,
    timeout: 60_000,
  });
  return { stdout, stderr, exitCode };
}
