import { cpSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** What is needed to run the built program and the agents of the tests. */
const PARTS = ['handraise.mjs', 'package.json', 'dist', 'node_modules', 'test/fixtures/agents'];

/**
 * A folder with the built program that other users can read: the repository itself or, where it lies in somebody's
 * closed home, a copy in `folder`. `uids`: who has to be able to.
 */
export async function programFor(uids: readonly number[], folder: string): Promise<string> {
  const runs = async (root: string) => {
    const attempts = uids.map((uid) =>
      execa(process.execPath, ['handraise.mjs', '--version'], { cwd: root, uid, gid: uid }),
    );
    return (await Promise.allSettled(attempts)).every(({ status }) => status === 'fulfilled');
  };
  if (await runs(ROOT)) return ROOT;
  const copy = join(folder, 'program');
  for (const part of PARTS) cpSync(join(ROOT, part), join(copy, part), { recursive: true, verbatimSymlinks: true });
  if (await runs(copy)) return copy;
  throw new Error(`${dirname(process.execPath)} has a Node that other users cannot run, so that nothing can be tested`);
}
