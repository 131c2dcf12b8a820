import { existsSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import pins from './agent-pins.json' with { type: 'json' };
import { withFileLock } from './file-lock.ts';

export type AgentName = keyof typeof pins;

export interface InstalledAgent {
  name: AgentName;
  version: string;
  /** The folder that holds the command, to be put first in PATH. */
  binDir: string;
  /** Absolute path of the command. */
  bin: string;
}

/** Claude Code alone is 235 MB; a slow line needs minutes. Below the hook timeout of the e2e project. */
const INSTALL_WITHIN_MS = 240_000;

const AGENTS_DIR = fileURLToPath(new URL('../../../.e2e/agents/', import.meta.url));

/**
 * The pinned agent, installed from npm on first use and kept in the git-ignored `.e2e/agents` for later runs. Safe to
 * call from several processes at once. Rejects with npm's own words when the registry cannot deliver.
 */
export async function installAgent(name: AgentName): Promise<InstalledAgent> {
  const pin = pins[name];
  const home = join(AGENTS_DIR, `${name}-${pin.version}`);
  const binDir = join(home, 'node_modules', '.bin');
  const agent: InstalledAgent = { name, version: pin.version, binDir, bin: join(binDir, pin.bin) };
  if (existsSync(home)) return agent;
  await mkdir(AGENTS_DIR, { recursive: true });
  await withFileLock(`${home}.lock`, INSTALL_WITHIN_MS, async () => {
    if (!existsSync(home)) await install(agent, home);
  });
  return agent;
}

/** Into a folder of its own that gets the final name only when the command works: `home` is never half installed. */
async function install(agent: InstalledAgent, home: string): Promise<void> {
  const pin = pins[agent.name];
  const wanted = `${pin.package}@${pin.version}`;
  const staging = `${home}.partial`;
  await rm(staging, { recursive: true, force: true });
  await mkdir(staging);
  // Without a package of its own npm would look for one further up, and find handraise's.
  await writeFile(join(staging, 'package.json'), '{ "private": true }\n');
  // The native command is put in place by an install script, which a user's npmrc may have turned off.
  const flags = ['--ignore-scripts=false', '--no-audit', '--no-fund', '--no-update-notifier', '--loglevel=error'];
  const npm = await execa('npm', ['install', '--prefix', staging, ...flags, wanted], {
    cwd: dirname(staging),
    timeout: INSTALL_WITHIN_MS,
    reject: false,
    all: true,
  });
  if (npm.failed) {
    const why = npm.timedOut ? `no answer within ${INSTALL_WITHIN_MS / 1000} s` : `npm exited ${npm.exitCode}`;
    throw new Error(`cannot install ${wanted} for the end-to-end tests: ${why}\n${npm.all}`);
  }
  await checkVersion(join(staging, 'node_modules', '.bin', pin.bin), wanted, pin.version);
  await rename(staging, home);
}

async function checkVersion(bin: string, wanted: string, version: string): Promise<void> {
  const { stdout, stderr, failed } = await execa(bin, ['--version'], { timeout: 30_000, reject: false });
  if (failed || !stdout.includes(version)) {
    throw new Error(`${wanted} was installed, but --version says ${JSON.stringify(stdout || stderr)}`);
  }
}
