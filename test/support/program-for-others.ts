import { cpSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** What is needed to run the built program and the agents of the tests. */
const PARTS = ['handraise.mjs', 'package.json', 'dist', 'node_modules', 'test/fixtures/agents'];

/** The built program and a Node, where other users can read and run them. */
export interface ProgramForOthers {
  readonly root: string;
  readonly node: string;
}

/**
 * The repository and this Node themselves or, where they lie in somebody's closed home (an `npx` cache is one), copies in
 * `folder`. `uids`: who has to be able to.
 */
export async function programFor(uids: readonly number[], folder: string): Promise<ProgramForOthers> {
  const runs = async ({ root, node }: ProgramForOthers) => {
    const attempts = uids.map((uid) => execa(node, ['handraise.mjs', '--version'], { cwd: root, uid, gid: uid }));
    return (await Promise.allSettled(attempts)).every(({ status }) => status === 'fulfilled');
  };
  const own = { root: ROOT, node: process.execPath };
  if (await runs(own)) return own;
  const node = join(folder, 'node');
  cpSync(realpathSync(process.execPath), node);
  if (await runs({ root: ROOT, node })) return { root: ROOT, node };
  const root = join(folder, 'program');
  for (const part of PARTS) cpSync(join(ROOT, part), join(root, part), { recursive: true, verbatimSymlinks: true });
  if (await runs({ root, node })) return { root, node };
  throw new Error(`Other users cannot run ${node} in ${root}, so that nothing can be tested`);
}
