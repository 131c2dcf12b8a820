import { afterEach, describe, expect, it } from 'vitest';
import type { ApiCall, DiscordDouble } from '../../doubles/discord/index.ts';
import { type DiscordChannel, openDiscordChannel } from '../../support/discord-channel.ts';
import { embeddedOnDiscord } from '../../support/embedded-discord.ts';
import { choice, type GatewayStage, openGatewayStage } from '../../support/gateway-stage.ts';
import { pushOf } from '../../support/proposals.ts';
import { batchOf, question } from '../../support/requests.ts';

/** A gateway's turn to post (6 s) runs out before the next one may look, on whatever machine this is. */
const LINE_WITHIN_MS = 60_000;

let close: (() => Promise<void>) | undefined;
afterEach(() => close?.());

/**
 * The first gateway is killed while Discord keeps its line in the channel from coming; `ask` puts something to people.
 * Resolves when the next one is ready.
 */
async function killedBeforeTheLine(
  text: string,
  ask: (owner: Awaited<ReturnType<GatewayStage['owner']>>) => Promise<unknown>,
) {
  const chat = await openDiscordChannel();
  const stage = await openGatewayStage({}, chat);
  close = async () => {
    await stage.close();
    await chat[Symbol.asyncDispose]();
    expect(stage.slack.violations).toEqual([]);
  };
  const first = await stage.gateway();
  const owner = await stage.owner('s1');
  const line = chat.discord.faults.api('create_message', {
    kind: 'hang',
    match: (call) => leadsToACard(call, chat.channel),
  });
  const answer = ask(owner);
  await expect.poll(() => line.hits, { timeout: 20_000, interval: 5 }).toBe(1);
  first.kill('SIGKILL');
  await first.done;
  expect(lines(chat, text)).toEqual([]);
  await stage.gateway();
  await shown(chat, text);
  return { chat, answer };
}

describe('a gateway that is killed between a Discord card and the line in the channel that leads to it', {
  timeout: 180_000,
}, () => {
  it('leaves the line of a question to the next one, which posts it once, and the end is drawn on it', async () => {
    const { chat, answer } = await killedBeforeTheLine('Which queue?', async ({ prompter }) => {
      const result = await prompter.ask(choice('Which queue?', 'Kafka', 'Rabbit'), quietly());
      await result.delivered();
      return result.outcome.kind;
    });
    await chat.press('Which queue?', 'Kafka');
    expect(await answer).toBe('answered');
    await shown(chat, '[answered by Ana]');
    expect(lines(chat, 'Which queue?')).toHaveLength(1);
  });

  it('leaves the line of a proposal to the next one', async () => {
    const leaving = new AbortController();
    const { chat, answer } = await killedBeforeTheLine('git push', async ({ prompter }) => {
      const result = await prompter.propose(pushOf(), { signal: leaving.signal });
      await result.delivered();
      return result.outcome.kind;
    });
    leaving.abort();
    expect(await answer).toBe('cancelled');
    await chat.card('git push', ({ controls }) => controls.length === 0);
    expect(lines(chat, 'git push')).toHaveLength(1);
  });
});

it('a Discord card whose answer got lost has its line in the channel all the same, and one of it', async () => {
  await using stage = await embeddedOnDiscord();
  const { discord, channel } = stage;
  discord.faults.api('create_message', {
    kind: 'apply_then_drop',
    match: ({ route, args }) => !route.includes(channel) && JSON.stringify(args).includes('Which database?'),
  });
  const leaving = new AbortController();
  const asked = stage.ask(batchOf(question('Which database?', ['Postgres', 'SQLite'])), leaving.signal);
  await stage.card('Which database?');
  await shown(stage, 'Which database?');
  leaving.abort();
  expect(await asked).toBe('cancelled');
  expect(lines(stage, 'Which database?')).toHaveLength(1);
});

type Chat = Pick<DiscordChannel, 'ana' | 'channel'> & { readonly discord: DiscordDouble };

function leadsToACard({ route, args }: ApiCall, channel: string): boolean {
  return route.includes(channel) && JSON.stringify(args).includes('discord.com/channels/');
}

/** Lines in the channel itself with the text; the line that a session's thread hangs on is none. */
function lines({ discord, ana, channel }: Chat, text: string): string[] {
  return discord
    .screen(ana, channel)
    .messages.filter(({ thread, notification }) => thread === undefined && notification.includes(text))
    .map(({ notification }) => notification);
}

async function shown(chat: Chat, text: string): Promise<void> {
  await expect.poll(() => lines(chat, text), { timeout: LINE_WITHIN_MS }).toHaveLength(1);
}

function quietly() {
  return { signal: new AbortController().signal };
}
