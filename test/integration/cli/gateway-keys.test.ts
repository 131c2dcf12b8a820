import { chmodSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createDesk, type Desk } from '../../support/handraise.ts';

let desk: Desk;
beforeEach(() => {
  desk = createDesk();
});
afterEach(() => desk.remove());

async function keys(args: readonly string[], env: Record<string, string> = {}) {
  const { stdout, stderr, exitCode } = await desk.start(['gateway', 'keys', ...args], { env });
  return { out: String(Buffer.from(stdout)), err: String(Buffer.from(stderr)), exitCode };
}

describe('handraise gateway keys', () => {
  it('new writes a private key that only its user can read, and prints the public one and what to do with both', async () => {
    const file = join(desk.home, 'gateway.key');
    const { out, err, exitCode } = await keys(['new', '--out', file]);
    expect([err, exitCode]).toEqual(['', 0]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const text = readFileSync(file, 'utf8');
    expect(text).toMatch(/^hrsk1_[\w-]{43}\n$/);
    const [verdictKey = ''] = /^hrvk1_[\w-]{43}$/m.exec(out) ?? [];
    expect(out).toContain(`gateway.signingKeyFile: ${file}`);
    expect(out).toContain(`trust.verdictKeys: [${verdictKey}]`);
    expect(out).not.toContain('hrsk1_');
    const config = join(desk.home, 'gateway.yaml');
    writeFileSync(config, `gateway: { signingKeyFile: ${file} }\n`);
    // By the file, by the variable with the path, and by the one with the key: the public key alone on a line.
    const shown = { out: `${verdictKey}\n`, err: '', exitCode: 0 };
    expect(await keys(['show', '--config', config])).toEqual(shown);
    expect(await keys(['show'], { HANDRAISE_SIGNING_KEY_FILE: file })).toEqual(shown);
    expect(await keys(['show'], { HANDRAISE_SIGNING_KEY: text })).toEqual(shown);
  });

  it('new puts it beside the configuration by default, in a folder of its user’s own', async () => {
    expect((await keys(['new'])).exitCode).toBe(0);
    const folder = join(desk.home, '.config/handraise');
    expect([statSync(folder).mode & 0o777, statSync(join(folder, 'gateway.key')).mode & 0o777]).toEqual([0o700, 0o600]);
  });

  it('new overwrites no file, and does not follow a link', async () => {
    const [file, link] = [join(desk.home, 'there'), join(desk.home, 'link')];
    writeFileSync(file, 'mine');
    symlinkSync(join(desk.home, 'elsewhere'), link);
    for (const path of [file, link]) {
      const { out, err, exitCode } = await keys(['new', '--out', path]);
      expect([out, exitCode]).toEqual(['', 78]);
      expect(err).toMatch(/exists already; a key is never overwritten\n {2}Name another file/);
    }
    expect(readFileSync(file, 'utf8')).toBe('mine');
    expect(() => statSync(join(desk.home, 'elsewhere'))).toThrow('ENOENT');
  });

  it('show says what is missing or wrong, and warns of a file that everybody can read', async () => {
    const none = await keys(['show']);
    expect([none.exitCode, none.err]).toEqual([78, expect.stringContaining('handraise gateway keys new')]);
    const file = join(desk.home, 'gateway.key');
    await keys(['new', '--out', file]);
    chmodSync(file, 0o644);
    const open = await keys(['show'], { HANDRAISE_SIGNING_KEY_FILE: file });
    expect([open.exitCode, open.err]).toEqual([0, expect.stringContaining('chmod 600')]);
    const { out } = open;
    const swapped = await keys(['show'], { HANDRAISE_SIGNING_KEY: out.trim() });
    expect([swapped.exitCode, swapped.err]).toEqual([
      78,
      expect.stringMatching(/HANDRAISE_SIGNING_KEY holds a public key/),
    ]);
    const other = `hrvk1_${'A'.repeat(43)}`;
    const left = await keys(['show'], { HANDRAISE_SIGNING_KEY_FILE: file, HANDRAISE_VERDICT_KEYS: other });
    expect([left.exitCode, left.err]).toEqual([78, expect.stringContaining(`Add ${out.trim()} to trust.verdictKeys`)]);
  });
});

describe('over Redis', () => {
  // Nothing listens there: what is missing is found before anything is connected to.
  const env = () => ({ HANDRAISE_REDIS_URL: `unix://${join(desk.home, 'no.sock')}` });

  it.each([
    ['run', '--', 'true'],
    ['ask', 'Which one?'],
  ])('%s ends with 78 without a pinned key', async (...args) => {
    const { stdout, stderr, exitCode } = await desk.start(args, { env: env() });
    expect([String(Buffer.from(stdout)), exitCode]).toEqual(['', 78]);
    expect(String(Buffer.from(stderr))).toMatch(/no key of one is pinned\.\n {2}Set HANDRAISE_VERDICT_KEYS or trust/);
  });

  it('a gateway ends with 78 without a signing key', async () => {
    const tokens = { SLACK_BOT_TOKEN: ['xoxb', 'test'].join('-'), SLACK_APP_TOKEN: ['xapp', 'test'].join('-') };
    const { stderr, exitCode } = await desk.start(['gateway'], {
      env: { ...env(), ...tokens, HANDRAISE_SLACK_CHANNEL: 'C0123' },
    });
    expect(exitCode).toBe(78);
    expect(String(Buffer.from(stderr))).toMatch(/it has no key\.\n {2}Make one with `handraise gateway keys new`/);
  });
});
