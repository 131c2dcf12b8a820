import { mkdirSync, mkdtempSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { stateDirectory } from '../../../src/config/state-dir.ts';

let home: string;
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'handraise-config-')));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

describe('the state directory', () => {
  it('is made for its user alone, and closed when it was open', () => {
    const made = stateDirectory({ HOME: home });
    expect(made).toBe(join(home, '.local/state/handraise'));
    expect(statSync(made).mode & 0o777).toBe(0o700);
    mkdirSync(join(home, 'open/handraise'), { recursive: true, mode: 0o755 });
    expect(statSync(stateDirectory({ XDG_STATE_HOME: join(home, 'open') })).mode & 0o777).toBe(0o700);
  });

  it('is never relative to the working directory', () => {
    expect(stateDirectory({ HOME: home, XDG_STATE_HOME: 'state' })).toBe(join(home, '.local/state/handraise'));
  });

  it('names itself when it cannot be made', () => {
    writeFileSync(join(home, 'file'), '');
    expect(() => stateDirectory({ XDG_STATE_HOME: join(home, 'file') })).toThrow(
      /cannot use the state directory .*file\/handraise/,
    );
  });
});
