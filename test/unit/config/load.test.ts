import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadConfig } from '../../../src/config/load.ts';

const BOT = ['xoxb', 'made', 'up'].join('-');
const APP = ['xapp', 'made', 'up'].join('-');

let home: string;
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'handraise-config-')));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const channelFile = (channel: string) => `bindings: [{ match: { workspace: "*" }, slack: { channel: ${channel} } }]\n`;

describe('the configuration', () => {
  it('is empty without a file and without variables', async () => {
    expect(await load()).toEqual({ bindings: [], slack: {}, origins: new Map() });
  });

  it('reads the file named by the flag rather than the one of the variable or the user', async () => {
    const [flag, variable] = [put('flag.yaml', channelFile('C0FLAG')), put('variable.yaml', channelFile('C0VAR'))];
    put('.config/handraise/handraise.yaml', channelFile('C0USER'));
    const channelOf = async (config?: string, env: NodeJS.ProcessEnv = {}) =>
      (await loadConfig({ flags: { config }, env: { HOME: home, ...env } })).bindings[0]?.slack?.channel;
    expect(await channelOf(flag, { HANDRAISE_CONFIG: variable })).toBe('C0FLAG');
    expect(await channelOf(undefined, { HANDRAISE_CONFIG: variable })).toBe('C0VAR');
    expect(await channelOf()).toBe('C0USER');
  });

  it('looks for the user’s file in XDG_CONFIG_HOME, but not in a relative one', async () => {
    put('xdg/handraise/handraise.yaml', channelFile('C0XDG'));
    put('.config/handraise/handraise.yaml', channelFile('C0USER'));
    expect((await load({ XDG_CONFIG_HOME: join(home, 'xdg') })).bindings[0]?.slack?.channel).toBe('C0XDG');
    expect((await load({ XDG_CONFIG_HOME: 'xdg' })).bindings[0]?.slack?.channel).toBe('C0USER');
  });

  it.each([
    ['--config', { config: '/nowhere/h.yaml' }, {}],
    ['HANDRAISE_CONFIG', {}, { HANDRAISE_CONFIG: '/nowhere/h.yaml' }],
  ])('says which of its names is wrong when %s names no file', async (name, flags, env) => {
    await expect(loadConfig({ flags, env: { HOME: home, ...env } })).rejects.toMatchObject({
      code: 'configuration',
      message: 'there is no configuration file /nowhere/h.yaml',
      hint: `Correct the path given in ${name}.`,
    });
  });

  it('puts the binding of HANDRAISE_SLACK_CHANNEL before those of the file and remembers where each value is from', async () => {
    const file = put('.config/handraise/handraise.yaml', `${channelFile('C0FILE')}`);
    const { bindings, origins } = await load({ HANDRAISE_SLACK_CHANNEL: 'C0ENV' });
    expect(bindings).toEqual([
      {
        match: { workspace: '*' },
        slack: { channel: 'C0ENV' },
        questions: { mode: 'ask', operators: '*', waitMs: 300_000 },
        grants: { approvers: {}, waitMs: 300_000 },
      },
      {
        match: { workspace: '*' },
        slack: { channel: 'C0FILE' },
        questions: { mode: 'ask', operators: '*', waitMs: 300_000 },
        grants: { approvers: {}, waitMs: 300_000 },
      },
    ]);
    const variable = { from: 'environment', name: 'HANDRAISE_SLACK_CHANNEL' };
    const line = { from: 'file', name: `${file}:1` };
    const byDefault = { from: 'default', name: '' };
    expect(Object.fromEntries(origins)).toEqual({
      'bindings[0].match': variable,
      'bindings[0].slack.channel': variable,
      'bindings[0].questions.mode': byDefault,
      'bindings[0].questions.operators': byDefault,
      'bindings[0].questions.wait': byDefault,
      'bindings[0].grants.approvers': byDefault,
      'bindings[0].grants.requester': byDefault,
      'bindings[0].grants.quorum': byDefault,
      'bindings[0].grants.wait': byDefault,
      'bindings[1].match': line,
      'bindings[1].slack.channel': line,
      'bindings[1].questions.mode': byDefault,
      'bindings[1].questions.operators': byDefault,
      'bindings[1].questions.wait': byDefault,
      'bindings[1].grants.approvers': byDefault,
      'bindings[1].grants.requester': byDefault,
      'bindings[1].grants.quorum': byDefault,
      'bindings[1].grants.wait': byDefault,
    });
  });

  it('lets nobody approve unless it is said who may, in the file or by HANDRAISE_APPROVERS', async () => {
    const grants = 'grants: { approvers: { slackUsers: [U0123456789], discordUsers: [] }, wait: 10m }';
    const file = `bindings: [{ match: { workspace: "*" }, slack: { channel: C0FILE }, ${grants} }]`;
    put('.config/handraise/handraise.yaml', file);
    const { bindings, origins } = await load({
      HANDRAISE_SLACK_CHANNEL: 'C0ENV',
      HANDRAISE_APPROVERS: 'slack:U0123456780',
    });
    expect(bindings.map((bound) => bound.grants)).toEqual([
      { approvers: { slackUsers: ['U0123456780'] }, waitMs: 300_000 },
      { approvers: { slackUsers: ['U0123456789'], discordUsers: [] }, waitMs: 600_000 },
    ]);
    expect(origins.get('bindings[0].grants.approvers')).toEqual({ from: 'environment', name: 'HANDRAISE_APPROVERS' });
  });

  it('reads who may approve steps of each class, the requester, the quorum, and who is one person', async () => {
    const grants =
      'grants: { approvers: { external: { slackGroups: [S01] } }, requester: allowed, quorum: { external: 2 } }';
    put(
      '.config/handraise/handraise.yaml',
      `people: [{ slack: U01, discord: "223344556677889900" }]\nbindings: [{ match: { workspace: "*" }, slack: { channel: C0FILE }, ${grants} }]`,
    );
    const { bindings, people, origins } = await load({});
    expect(bindings[0]?.grants).toEqual({
      approvers: { write: {}, external: { slackGroups: ['S01'] } },
      requester: 'allowed',
      quorum: { write: 1, external: 2 },
      waitMs: 300_000,
    });
    expect(people).toEqual([{ slack: 'U01', discord: '223344556677889900' }]);
    expect(origins.get('people')?.name).toMatch(/handraise\.yaml:1$/);
  });

  it('lets --wait win over the file, within the same bounds', async () => {
    const config = put('c.yaml', channelFile('C0FILE'));
    const loaded = await loadConfig({ flags: { config, wait: '90s' }, env: { HOME: home } });
    expect(loaded.bindings[0]?.questions.waitMs).toBe(90_000);
    expect(loaded.bindings[0]?.grants?.waitMs).toBe(90_000);
    expect(loaded.origins.get('bindings[0].questions.wait')).toEqual({ from: 'flag', name: '--wait' });
    await expect(loadConfig({ flags: { config, wait: '5s' }, env: { HOME: home } })).rejects.toMatchObject({
      code: 'usage',
      message: '--wait must be between 60s and 24h',
    });
  });

  it('holds tokens that no print shows', async () => {
    const config = await load({ SLACK_BOT_TOKEN: BOT, SLACK_APP_TOKEN: APP });
    expect(inspect(config, { depth: 9 }) + JSON.stringify(config)).not.toContain('made-up');
    expect(config.slack.botToken?.reveal()).toBe(BOT);
  });

  it('takes the Redis of the environment before that of the file, and shows neither', async () => {
    const config = put('r.yaml', 'redis: { url: "redis://:made-up@file" }');
    const [fromFile, fromEnvironment, fromSecretFile] = [
      await load({ HANDRAISE_CONFIG: config }),
      await load({ HANDRAISE_CONFIG: config, HANDRAISE_REDIS_URL: 'redis://:made-up@env' }),
      await load({ HANDRAISE_CONFIG: config, HANDRAISE_REDIS_URL_FILE: put('url', 'redis://:made-up@secret\n') }),
    ];
    expect(fromFile.redis?.url.reveal()).toBe('redis://:made-up@file');
    expect(fromFile.origins.get('redis.url')).toEqual({ from: 'file', name: `${config}:1` });
    expect(fromEnvironment.redis?.url.reveal()).toBe('redis://:made-up@env');
    expect(fromEnvironment.origins.get('redis.url')).toEqual({ from: 'environment', name: 'HANDRAISE_REDIS_URL' });
    expect(fromSecretFile.redis?.url.reveal()).toBe('redis://:made-up@secret');
    expect(inspect([fromFile, fromEnvironment], { depth: 9 })).not.toContain('made-up');
  });

  it('reads a token from its file without the newline', async () => {
    const config = await load({ SLACK_BOT_TOKEN_FILE: put('token', `${BOT}\n`) });
    expect(config.slack.botToken?.reveal()).toBe(BOT);
    expect(config.origins.get('slack.botToken')).toEqual({ from: 'environment', name: 'SLACK_BOT_TOKEN_FILE' });
  });
});

function put(path: string, text: string): string {
  const full = join(home, path);
  mkdirSync(join(full, '..'), { recursive: true });
  writeFileSync(full, text);
  return full;
}

function load(env: NodeJS.ProcessEnv = {}) {
  return loadConfig({ flags: {}, env: { HOME: home, ...env } });
}
