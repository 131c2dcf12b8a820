import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sessionFacts } from '../../../src/agents/session-facts.ts';

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'handraise-facts-')));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const factsIn = (cwd: string, workspace?: string) =>
  sessionFacts({ sessionId: 's1', agent: 'generic', cwd: join(root, cwd), workspace });

describe('the facts of a run', () => {
  it('name the git top level, its branch and who started it', async () => {
    repository('api', 'ref: refs/heads/feature/login\n');
    mkdirSync(join(root, 'api/src/deep'), { recursive: true });
    expect(await factsIn('api/src/deep')).toEqual({
      sessionId: 's1',
      agent: 'generic',
      workspace: join(root, 'api'),
      branch: 'feature/login',
      startedBy: `${userInfo().username}@${hostname()}`,
    });
  });

  it('name the directory itself outside git, and no branch', async () => {
    mkdirSync(join(root, 'plain'));
    const facts = await factsIn('plain');
    expect(facts.workspace).toBe(join(root, 'plain'));
    expect(facts).not.toHaveProperty('branch');
  });

  it('name the real path behind links', async () => {
    repository('api', 'ref: refs/heads/main\n');
    symlinkSync(join(root, 'api'), join(root, 'link'));
    expect((await factsIn('link')).workspace).toBe(join(root, 'api'));
  });

  it.each([
    ['a detached HEAD', '4191ed1f4191ed1f4191ed1f4191ed1f4191ed1f\n'],
    ['branches that are kept elsewhere (reftable)', 'ref: refs/heads/.invalid\n'],
  ])('have no branch with %s', async (_, head) => {
    repository('api', head);
    const facts = await factsIn('api');
    expect(facts).toMatchObject({ workspace: join(root, 'api') });
    expect(facts).not.toHaveProperty('branch');
  });

  it('follow the file of a linked work tree to its own HEAD', async () => {
    repository('api', 'ref: refs/heads/main\n');
    mkdirSync(join(root, 'api/.git/worktrees/wt'), { recursive: true });
    writeFileSync(join(root, 'api/.git/worktrees/wt/HEAD'), 'ref: refs/heads/topic\n');
    mkdirSync(join(root, 'wt'));
    writeFileSync(join(root, 'wt/.git'), 'gitdir: ../api/.git/worktrees/wt\n');
    expect(await factsIn('wt')).toMatchObject({ workspace: join(root, 'wt'), branch: 'topic' });
  });

  it('take an empty .git for no repository', async () => {
    mkdirSync(join(root, 'odd/.git'), { recursive: true });
    expect((await factsIn('odd')).workspace).toBe(join(root, 'odd'));
  });

  it('take the workspace that was given, with its own branch', async () => {
    repository('api', 'ref: refs/heads/main\n');
    mkdirSync(join(root, 'api/packages/web'), { recursive: true });
    mkdirSync(join(root, 'elsewhere'));
    const given = join(root, 'api/packages/web');
    expect(await factsIn('elsewhere', given)).toMatchObject({ workspace: given, branch: 'main' });
  });

  it.each(['nowhere', 'file'])('refuse a workspace that is no directory: %s', async (name) => {
    writeFileSync(join(root, 'file'), '');
    await expect(factsIn('.', join(root, name))).rejects.toMatchObject({ code: 'usage' });
  });
});

function repository(name: string, head: string): void {
  mkdirSync(join(root, name, '.git'), { recursive: true });
  writeFileSync(join(root, name, '.git/HEAD'), head);
}
