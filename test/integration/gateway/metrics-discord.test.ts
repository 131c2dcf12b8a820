import { afterEach, beforeEach, expect, it } from 'vitest';
import { type DiscordChannel, openDiscordChannel } from '../../support/discord-channel.ts';
import { parseExposition, summed } from '../../support/exposition.ts';
import { choice, type GatewayStage, openGatewayStage, type RunningGateway } from '../../support/gateway-stage.ts';

/** A client that Discord does not let back in at once waits and tries again. */
const BACK_WITHIN_MS = 60_000;

let discord: DiscordChannel;
let stage: GatewayStage;
beforeEach(async () => {
  discord = await openDiscordChannel();
  stage = await openGatewayStage({}, discord);
});
afterEach(async () => {
  await stage.close();
  await discord[Symbol.asyncDispose]();
});

it('a gateway on both platforms counts the connections and acknowledgements of each', async () => {
  const gateway = await stage.gateway();
  await says(gateway, {
    'handraise_connections{platform="slack"}': 2,
    'handraise_connections{platform="discord"}': 1,
  });
  const outcome = await ask('s1', 'Which database?');
  await stage.seen('Which database?', 20_000);
  await discord.press('Which database?', 'Yes');
  expect(await outcome()).toBe('answered');
  await discord.card('Answered', ({ controls }) => controls.length === 0);
  await says(gateway, {
    'handraise_ack_seconds_count{platform="discord"}': 1,
    handraise_cards_posted_total: 2,
    handraise_cards_settled_total: 2,
    handraise_decisions_total: 1,
    'handraise_outcomes_total{outcome="answered"}': 1,
  });
  const { samples } = parseExposition(await (await fetch(`${gateway.url}/metrics`)).text());
  expect(samples.get('handraise_ack_seconds_sum{platform="discord"}')).toBeGreaterThan(0);
  expect(samples.get('handraise_ack_seconds_count{platform="slack"}')).toBeUndefined();
});

it('a gateway is not ready while Discord is away, counts no connection to it, and is again when it is back', async () => {
  const gateway = await stage.gateway();
  expect(await ready(gateway)).toEqual([200, 'ready']);
  await discord.discord.sockets.down();
  await expect.poll(() => ready(gateway), { timeout: 20_000 }).toEqual([503, expect.stringContaining('Discord')]);
  await says(gateway, {
    'handraise_connections{platform="slack"}': 2,
    'handraise_connections{platform="discord"}': 0,
  });
  await discord.discord.sockets.up();
  await expect.poll(() => ready(gateway), { timeout: BACK_WITHIN_MS }).toEqual([200, 'ready']);
  await says(gateway, { 'handraise_connections{platform="discord"}': 1 });
}, 120_000);

it('a gateway whose Discord token is refused says how to cure it, stays alive, and goes on with Slack', async () => {
  const gateway = await stage.gateway();
  discord.discord.breakToken(true);
  discord.discord.sockets.close(4004);
  await expect
    .poll(() => ready(gateway), { timeout: 20_000 })
    .toEqual([503, expect.stringMatching(/4004.*Reset Token/)]);
  expect((await fetch(`${gateway.url}/healthz`)).status).toBe(200);
  const outcome = await ask('s2', 'Which cache?');
  await stage.seen('Which cache?', 20_000);
  await stage.click(/Which cache/, 'Yes').settled;
  expect(await outcome()).toBe('answered');
  await stage.seen('Answered', 20_000);
  await says(gateway, { 'handraise_connections{platform="slack"}': 2, 'handraise_connections{platform="discord"}': 0 });
  expect(stage.slack.violations).toEqual([]);
}, 120_000);

/** Asks as an owner of its own, and confirms the delivery of whatever comes back. */
async function ask(sessionId: string, question: string): Promise<() => Promise<string>> {
  const owner = await stage.owner(sessionId);
  const asked = owner.prompter.ask(choice(question, 'Yes', 'No'), { signal: new AbortController().signal });
  return async () => {
    const { outcome, delivered } = await asked;
    await delivered();
    return outcome.kind;
  };
}

async function ready({ url }: RunningGateway): Promise<[number, string]> {
  const response = await fetch(`${url}/readyz`);
  return [response.status, (await response.text()).trim()];
}

/** Waits until the gateway's metrics say this. */
async function says({ url }: RunningGateway, expected: Readonly<Record<string, number>>): Promise<void> {
  const read = async () => summed([parseExposition(await (await fetch(`${url}/metrics`)).text())]);
  await expect.poll(read, { timeout: 30_000, interval: 200 }).toMatchObject(expected);
}
