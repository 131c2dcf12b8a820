import { describe, expect, it } from 'vitest';
import { call, fail, type ModelServer, type Script, say, startModelServer } from './index.ts';

const ask = (question: string) => ({ name: 'ask', input: { question } });

describe('the scripted model server', () => {
  it('streams text and tool calls as the events of the Messages API', async () => {
    await using model = await startModelServer({ script: [call(ask('Ship it? 🚀'), ask('When?'))] });
    const events = await streamed(await post(model, { stream: true }));
    expect(events.map((event) => event['type'])).toEqual([
      'message_start',
      ...Array(2)
        .fill(['content_block_start', 'content_block_delta', 'content_block_delta', 'content_block_stop'])
        .flat(),
      'message_delta',
      'message_stop',
    ]);
    const json = events.map((event) => (event['index'] === 0 ? partial(event) : '')).join('');
    expect(JSON.parse(json)).toEqual({ question: 'Ship it? 🚀' });
    expect(events.at(-2)).toMatchObject({ delta: { stop_reason: 'tool_use' } });
  });

  it('answers whole when no stream is asked for', async () => {
    await using model = await startModelServer({ script: [say('hello')] });
    expect(await (await post(model)).json()).toMatchObject({
      content: [{ type: 'text', text: 'hello' }],
      stop_reason: 'end_turn',
    });
  });

  it('gives the main agent and each sub-agent turns of their own', async () => {
    const seen: string[] = [];
    const note = (text: string) => () => {
      seen.push(text);
      return say(text);
    };
    await using model = await startModelServer({
      script: { main: [note('m1'), note('m2')], subagent: [note('s1'), note('s2')] },
    });
    for (const agentId of [undefined, 'a', 'b', 'a', undefined]) {
      await post(model, {}, agentId ? { 'x-claude-code-agent-id': agentId } : {});
    }
    expect(seen).toEqual(['m1', 's1', 's1', 's2', 'm2']);
    expect((await model.until((request) => request.agentId === 'b')).turn).toBe(1);
  });

  it('records a request before the script lets go of its reply', async () => {
    let letGo = () => {};
    const gate = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    await using model = await startModelServer({
      script: async () => {
        await gate;
        return say('late');
      },
    });
    const waiting = model.request(1);
    const results = [{ type: 'tool_result', tool_use_id: 't1', content: [{ type: 'text', text: 'yes' }] }];
    const reply = post(model, { system: 'be brief', messages: [{ role: 'user', content: results }] });
    expect(await waiting).toMatchObject({
      system: 'be brief',
      toolResults: [{ toolUseId: 't1', text: 'yes', isError: false }],
    });
    letGo();
    expect((await reply).status).toBe(200);
  });

  it('fails as the API fails, and tells the client not to retry', async () => {
    await using model = await startModelServer({ script: [fail(529, 'overloaded')] });
    const response = await post(model);
    expect(response.status).toBe(529);
    expect(response.headers.get('x-should-retry')).toBe('false');
    expect(await response.json()).toMatchObject({ error: { type: 'overloaded_error', message: 'overloaded' } });
  });

  it('refuses a key it did not hand out', async () => {
    await using model = await startModelServer({ script: [] });
    expect((await post(model, {}, { 'x-api-key': 'other' })).status).toBe(401);
    expect(model.requests).toHaveLength(0);
  });

  it.each<[string, Script, string]>([
    ['a conversation longer than its list', [], 'no turn 1 for the main conversation'],
    [
      'a script that throws',
      () => {
        throw new Error('unexpected tool result');
      },
      'unexpected tool result',
    ],
  ])('reports %s to the client, to whoever waits and on close', async (_, script, message) => {
    const model = await startModelServer({ script });
    const waiting = expect(model.request(2)).rejects.toThrow(message);
    expect((await post(model)).status).toBe(400);
    await waiting;
    await expect(model.close()).rejects.toThrow(message);
  });

  it('says what it saw when a wait runs out', async () => {
    await using model = await startModelServer({ script: [say('hello')] });
    await post(model);
    await expect(model.request(2, { within: 20 })).rejects.toThrow(
      /nothing matched within 20 ms\. Seen so far \(1\):\n {2}1\. main turn 1: "hi"/,
    );
  });

  it('closes while a reply is still being waited for', async () => {
    const model = await startModelServer({
      script: ({ signal }) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => resolve(say('nobody listens')));
        }),
    });
    const dropped = expect(post(model)).rejects.toThrow('fetch failed');
    await model.request(1);
    await model.close();
    await dropped;
  });
});

function post(model: ModelServer, body: object = {}, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${model.url}/v1/messages?beta=true`, {
    method: 'POST',
    headers: { 'x-api-key': model.apiKey, ...headers },
    body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'hi' }], ...body }),
  });
}

async function streamed(response: Response): Promise<Record<string, unknown>[]> {
  const blocks = (await response.text()).trim().split('\n\n');
  return blocks.map((block) => JSON.parse(block.slice(block.indexOf('data: ') + 6)));
}

function partial(event: Record<string, unknown>): string {
  const delta = event['delta'] as { partial_json?: string } | undefined;
  return delta?.partial_json ?? '';
}
