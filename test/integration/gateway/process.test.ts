import { afterEach, describe, expect, it } from 'vitest';
import { choice, type GatewayStage, openGatewayStage } from '../../support/gateway-stage.ts';
import { fixtureAgent } from '../../support/handraise.ts';
import { KEYS } from '../../support/redis-store.ts';

let stage: GatewayStage;
afterEach(async () => {
  await stage.close();
  expect(stage.slack.violations).toEqual([]);
});

describe('a gateway in a process of its own', () => {
  it('serves a run that has no token, answers probes, and gives its lease back on SIGTERM', async () => {
    stage = await openGatewayStage();
    const gateway = await stage.gateway();
    expect((await fetch(`${gateway.url}/healthz`)).status).toBe(200);
    expect((await fetch(`${gateway.url}/readyz`)).status).toBe(200);
    const run = start('run', '--', ...fixtureAgent('ask', 'Which database?', 'Postgres', 'SQLite'));
    await stage.seen('Postgres');
    await stage.click(/Which database/, 'Postgres').settled;
    const { stdout, stderr, exitCode } = await run;
    expect(String(Buffer.from(stderr))).toBe('');
    expect(JSON.parse(String(Buffer.from(stdout))).content[0].text).toContain('"Which database?":"Postgres"');
    expect(exitCode).toBe(0);
    await stage.seen('Answered', 3_000);
    expect(stage.cards('Which database?')).toHaveLength(1);

    await stage.redis.kill();
    const readiness = await fetch(`${gateway.url}/readyz`);
    expect([readiness.status, await readiness.text()]).toEqual([503, expect.stringContaining('Redis')]);
    await stage.redis.restart();
    await expect.poll(async () => (await fetch(`${gateway.url}/readyz`)).status, { timeout: 20_000 }).toBe(200);
    const begun = Date.now();
    gateway.kill('SIGTERM');
    expect((await gateway.done).exitCode).toBe(0);
    expect(Date.now() - begun).toBeLessThan(3_000);
    expect(await stage.redis.client.zcard(KEYS.gateways)).toBe(0);
  });

  it('ends at once when it is stopped while Slack keeps it waiting at its start', async () => {
    stage = await openGatewayStage();
    const asked = stage.slack.faults.api('auth.test', { kind: 'hang', times: 10 });
    const starting = stage.gateway({ whenAsked: () => asked.hits > 0, signal: 'SIGTERM' });
    await expect(starting).rejects.toThrow('the gateway ended with 0');
  });

  it('keeps a run from starting while there is none', async () => {
    stage = await openGatewayStage();
    const { stdout, stderr, exitCode } = await start('run', '--', ...fixtureAgent('report'));
    expect(String(Buffer.from(stdout))).toBe('');
    expect(String(Buffer.from(stderr))).toMatch(/^handraise: No handraise gateway .+\n {2}Start `handraise gateway`/);
    expect(exitCode).toBe(69);
  });

  it('finds the post of one that died before it could tell, and posts no second card', async () => {
    stage = await openGatewayStage();
    const first = await stage.gateway();
    const owner = await stage.owner('s1');
    const posted = stage.slack.faults.api('chat.postMessage', {
      kind: 'apply_then_drop',
      match: ({ args }) => JSON.stringify(args).includes('Which queue?'),
    });
    const dead = expect
      .poll(() => posted.hits, { timeout: 20_000, interval: 5 })
      .toBe(1)
      .then(() => first.kill('SIGKILL'));
    const answer = owner.prompter.ask(choice('Which queue?', 'Kafka', 'Rabbit'), quietly());
    await dead;
    await first.done;
    await stage.gateway();
    await recorded();
    await stage.click(/Which queue/, 'Kafka').settled;
    const result = await answer;
    await result.delivered();
    expect(result.outcome).toMatchObject({ kind: 'answered' });
    await stage.seen('Answered', 3_000);
    expect(stage.cards('Which queue?')).toHaveLength(1);
  });
});

describe('three gateways', () => {
  it('that start at once over questions nobody has posted yet post one card and one thread each', async () => {
    stage = await openGatewayStage({ rateLimits: false });
    const first = await stage.gateway();
    const owners = await Promise.all(['s1', 's2', 's3', 's4'].map((name) => stage.owner(name)));
    first.kill('SIGKILL');
    await first.done;
    const answers = owners.map(({ prompter }, n) => prompter.ask(choice(`Start ${n}?`, 'yes', 'no'), quietly()));
    await Promise.all([stage.gateway(), stage.gateway(), stage.gateway()]);
    for (const n of owners.keys()) await stage.seen(`Start ${n}?`);
    for (const n of owners.keys()) await stage.click(new RegExp(`Start ${n}`), 'yes').settled;
    const results = await Promise.all(answers);
    expect(results.map(({ outcome }) => outcome.kind)).toEqual(owners.map(() => 'answered'));
    await Promise.all(results.map((result) => result.delivered()));
    expect([...owners.keys()].map((n) => stage.cards(`Start ${n}?`).length)).toEqual([1, 1, 1, 1]);
    const posts = stage.slack.calls.filter(({ method, applied }) => method === 'chat.postMessage' && applied);
    expect(posts).toHaveLength(8);
  });

  // 18 rounds through three gateways take a busy machine its time.
  it('post one card each for many owners, and every answer reaches its own owner once', {
    timeout: 90_000,
  }, async () => {
    stage = await openGatewayStage({ rateLimits: false });
    await Promise.all([stage.gateway(), stage.gateway(), stage.gateway()]);
    const owners = await Promise.all(Array.from({ length: 6 }, (_, n) => stage.owner(`s${n}`)));
    const rounds = 3;
    const outcomes = await Promise.all(
      owners.map(async ({ prompter }, n) => {
        const picked: unknown[] = [];
        for (let round = 0; round < rounds; round += 1) {
          const question = `Question ${n}-${round}?`;
          const label = round % 2 === 0 ? `Yes ${n}` : `No ${n}`;
          const asked = prompter.ask(choice(question, `Yes ${n}`, `No ${n}`), quietly());
          await stage.seen(question, 20_000);
          const interaction = stage.click(new RegExp(`Question ${n}-${round}`), label);
          stage.slack.deliver.again(interaction);
          const result = await asked;
          await result.delivered();
          picked.push([question, JSON.stringify(result.outcome).includes(`"${label}"`)]);
          await interaction.settled;
        }
        return picked;
      }),
    );
    const questions = owners.flatMap((_, n) =>
      Array.from({ length: rounds }, (__, round) => `Question ${n}-${round}?`),
    );
    expect(outcomes.flat()).toEqual(questions.map((question) => [question, true]));
    await expect
      .poll(() => questions.filter((question) => !JSON.stringify(stage.cards(question)).includes('Answered')), {
        timeout: 20_000,
      })
      .toEqual([]);
    expect(questions.map((question) => stage.cards(question).length)).toEqual(questions.map(() => 1));
    expect(await stage.redis.client.zcard(KEYS.unfinished)).toBe(0);
    await expect.poll(() => stage.redis.client.zcard(KEYS.work), { timeout: 20_000 }).toBe(0);
  });
});

/** What is on the screen is known to Redis, too: a post takes effect before its reply arrives. */
async function recorded(): Promise<void> {
  await expect.poll(() => stage.redis.client.keys(`${KEYS.prefix}{*}:cards`), { timeout: 20_000 }).toHaveLength(1);
}

function quietly() {
  return { signal: new AbortController().signal };
}

function start(...args: string[]) {
  return stage.desk.start(args, { env: stage.ownerEnv });
}
