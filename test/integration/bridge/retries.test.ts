import { afterEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/core/clock.ts';
import { newRandomId } from '../../../src/core/ids.ts';
import type { Prompter } from '../../../src/core/ports/prompter.ts';
import { startListener } from '../../../src/listener/listener.ts';
import { JoinedAsks } from '../../../src/prompt/joined-asks.ts';
import type { Interaction } from '../../doubles/slack/operator-types.ts';
import type { ScreenMessage } from '../../doubles/slack/types.ts';
import { embeddedOnSlack, everyMessage } from '../../support/embedded-slack.ts';
import { openGatewayStage } from '../../support/gateway-stage.ts';
import { recordingLog } from '../../support/recording-log.ts';
import { PROPOSES_NOTHING } from '../../support/requests.ts';
import { questionsReading } from '../listener/desk.ts';
import { type BridgeClient, startBridge } from './client.ts';

/** What the operator sees and does, wherever the gateway is. */
interface Chat {
  readonly prompter: Prompter;
  /** Messages with the text, whatever thread they are in. */
  cards(text: string): ScreenMessage[];
  click(message: RegExp | string, label: string): Interaction;
  close(): Promise<void>;
}

/** Undone in the opposite order. */
const undo: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

describe.each([
  ['in one process', embedded],
  ['over Redis', shared],
])('a tool call that is made again, %s', (_, openChat) => {
  it('while it is open, over one connection and another, joins it: one card, one answer for all (promise: retried-call)', async () => {
    const { chat, bridge, heard } = await setUp(openChat);
    const [one, two] = [await bridge(), await bridge()];
    const calls = [
      one.ask(DATABASE, id('toolu_1')),
      one.ask(DATABASE, id('toolu_1')),
      two.ask(DATABASE, id('toolu_2')),
    ];
    await heard(3);
    await seen(chat, 'Which database?', 'Redis');
    await chat.click(/Which database/, 'Redis').settled;
    for (const call of calls) expect((await call).text).toContain('"Which database?":"Redis"');
    await seen(chat, 'Which database?', 'Answered');
    expect(chat.cards('Which database?')).toHaveLength(1);
  });

  it('C18: after its transport was dropped finds its card, and answers it', async () => {
    const { chat, bridge } = await setUp(openChat);
    const dropped = await bridge();
    const lost = expect(dropped.ask(DATABASE, id('toolu_1'))).rejects.toThrow('Connection closed');
    await seen(chat, 'Which database?', 'Redis');
    process.kill(dropped.pid, 'SIGKILL');
    await lost;
    const again = (await bridge()).ask(DATABASE, id('toolu_1'));
    await chat.click(/Which database/, 'Memory').settled;
    expect(await again).toEqual({ text: expect.stringContaining('"Which database?":"Memory"'), isError: false });
    await seen(chat, 'Which database?', 'Answered');
    expect(chat.cards('Which database?')).toHaveLength(1);
  });

  it('after it was answered with nobody there gets that answer, and only then the card says so', async () => {
    const { chat, bridge } = await setUp(openChat);
    const dropped = await bridge();
    const lost = expect(dropped.ask(DATABASE, id('toolu_1'))).rejects.toThrow('Connection closed');
    await seen(chat, 'Which database?', 'Redis');
    process.kill(dropped.pid, 'SIGKILL');
    await lost;
    await chat.click(/Which database/, 'Redis').settled;
    await seen(chat, 'Which database?', 'waiting for the agent');
    const again = await (await bridge()).ask(DATABASE, id('toolu_1'));
    expect(again.text).toContain('"Which database?":"Redis"');
    await seen(chat, 'Which database?', 'Answered');
    expect((await (await bridge()).ask(DATABASE, id('toolu_1'))).text).toBe(again.text);
    expect(chat.cards('Which database?')).toHaveLength(1);
  });

  it('is withdrawn with the last of its calls', async () => {
    const { chat, bridge, heard } = await setUp(openChat);
    const [one, two] = [await bridge(), await bridge()];
    const [first, second] = [new AbortController(), new AbortController()];
    const calls = [
      one.ask(DATABASE, { ...id('toolu_1'), signal: first.signal }),
      two.ask(DATABASE, { ...id('toolu_1'), signal: second.signal }),
    ].map((call) => expect(call).rejects.toThrow('enough'));
    await heard(2);
    await seen(chat, 'Which database?', 'Redis');
    first.abort('enough');
    // Comes through the same socket after the withdrawal.
    const other = one.ask(questionsReading('Which cache?'), id('toolu_3'));
    await heard(3);
    expect(open(chat, 'Which database?')).toHaveLength(1);
    second.abort('enough');
    await Promise.all(calls);
    await seen(chat, 'Which database?', 'Withdrawn');
    await seen(chat, 'Which cache?', 'Redis');
    await chat.click(/Which cache/, 'Redis').settled;
    expect((await other).isError).toBe(false);
  });

  it('with other content replaces its card, and the answer to that one is its own', async () => {
    const { chat, bridge } = await setUp(openChat);
    const one = await bridge();
    const first = one.ask(DATABASE, id('toolu_1'));
    await seen(chat, 'Which database?', 'Redis');
    const second = one.ask(questionsReading('Which cache?'), id('toolu_1'));
    expect(await first).toEqual({ text: expect.stringContaining('replaced by a newer one'), isError: true });
    await seen(chat, 'Which cache?', 'Redis');
    await chat.click(/Which cache/, 'Memory').settled;
    expect((await second).text).toContain('"Which cache?":"Memory"');
    await seen(chat, 'Which database?', 'Replaced');
  });

  it('after its answer, as another tool call, is a question of its own', async () => {
    const { chat, bridge } = await setUp(openChat);
    const one = await bridge();
    const first = one.ask(DATABASE, id('toolu_1'));
    await seen(chat, 'Which database?', 'Redis');
    await chat.click(/Which database/, 'Redis').settled;
    await first;
    await seen(chat, 'Which database?', 'Answered');
    const second = one.ask(DATABASE, id('toolu_2'));
    await expect.poll(() => open(chat, 'Which database?').length, POLL).toBe(1);
    await chat.click(open(chat, 'Which database?')[0]?.ts ?? '', 'Memory').settled;
    expect((await second).text).toContain('"Which database?":"Memory"');
    expect(chat.cards('Which database?')).toHaveLength(2);
  });
});

const DATABASE = questionsReading('Which database?');
const POLL = { timeout: 20_000, interval: 20 };
const id = (toolUseId: string) => ({ meta: { 'claudecode/toolUseId': toolUseId } });

/** A run's listener in front of the chat, and bridges to it. */
async function setUp(openChat: () => Promise<Chat>) {
  const log = recordingLog();
  const chat = await openChat();
  undo.push(() => chat.close());
  const joined = new JoinedAsks({ inner: chat.prompter, clock: systemClock, log });
  undo.push(() => joined.stop());
  let asked = 0;
  const counted: Prompter = {
    ...PROPOSES_NOTHING,
    ask(batch, context) {
      asked += 1;
      return joined.ask(batch, context);
    },
  };
  const listener = await startListener({ prompter: counted, clock: systemClock, newId: newRandomId, log });
  undo.push(() => listener.close());
  const heard = (calls: number) => expect.poll(() => asked, POLL).toBe(calls);
  const bridge = async (): Promise<BridgeClient> => {
    const started = await startBridge(listener.socketPath);
    undo.push(async () => started[Symbol.asyncDispose]());
    return started;
  };
  return { chat, bridge, heard };
}

async function seen(chat: Chat, question: string, text: string): Promise<void> {
  await expect.poll(() => JSON.stringify(chat.cards(question)), POLL).toContain(text);
}

function open(chat: Chat, question: string): ScreenMessage[] {
  return chat.cards(question).filter(({ controls }) => controls.length > 0);
}

async function embedded(): Promise<Chat> {
  const chat = await embeddedOnSlack();
  const { slack, ana, channel, embedded: gateway } = chat;
  return {
    prompter: gateway.prompter,
    cards: (text) => {
      const all = everyMessage(slack.screen(ana, channel).messages);
      // A broadcast reply is shown in its thread and in the channel; it is one message.
      const once = [...new Map(all.map((message) => [message.ts, message])).values()];
      return once.filter(({ blocks }) => JSON.stringify(blocks).includes(text));
    },
    click: (message, label) => slack.user(ana).click({ channel, message, label: new RegExp(label) }),
    close: async () => chat[Symbol.asyncDispose](),
  };
}

async function shared(): Promise<Chat> {
  const stage = await openGatewayStage();
  await stage.gateway();
  const { prompter } = await stage.owner('s1');
  return {
    prompter,
    cards: stage.cards,
    click: (message, label) =>
      stage.slack.user(stage.ana).click({ channel: stage.channel, message, label: new RegExp(label) }),
    async close() {
      await stage.close();
      expect(stage.slack.violations).toEqual([]);
    },
  };
}
