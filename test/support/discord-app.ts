import { WebSocket } from 'ws';
import {
  createClock,
  type DiscordDouble,
  type DiscordDoubleOptions,
  startDiscordDouble,
} from '../doubles/discord/index.ts';

type Obj = Record<string, unknown>;

export interface Reply {
  readonly status: number;
  readonly body: Obj;
  readonly headers: Headers;
}

/** One gateway connection of a plain WebSocket. */
export interface Line {
  readonly ws: WebSocket;
  /** Dispatches so far, oldest first. */
  readonly dispatches: { readonly s: number; readonly t: string; readonly d: Obj }[];
  readonly sessionId: string;
  /** The next frame that fits. */
  next(match: (frame: Obj) => boolean): Promise<Obj>;
  send(op: number, d: unknown): void;
  closed(): Promise<number>;
}

/** A Discord app of fetch and a plain WebSocket, on a double whose clock stands still, with one person in one channel. */
export interface DiscordApp {
  readonly discord: DiscordDouble;
  readonly ana: string;
  readonly channel: string;
  readonly line: Line;
  call(verb: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>;
  /** Posts a message; returns its id. */
  post(body: Obj): Promise<string>;
  /** Sends the first response to an interaction. */
  respond(interaction: Obj, type: number, data?: Obj): Promise<Reply>;
  /** The data of the newest INTERACTION_CREATE. */
  interaction(): Promise<Obj>;
  /** A connection that has said IDENTIFY (or RESUME) and heard the answer. */
  connect(how?: {
    readonly intents?: number;
    readonly resume?: { readonly sessionId: string; readonly seq: number };
  }): Promise<Line>;
  stop(): Promise<void>;
}

/** Guilds and guild messages. */
const INTENTS = 1 | (1 << 9);

export async function startDiscordApp(options: DiscordDoubleOptions = {}): Promise<DiscordApp> {
  const discord = await startDiscordDouble({ clock: createClock({ flow: false }), rateLimits: false, ...options });
  const ana = discord.guild.addMember({ name: 'ana', displayName: 'Ana' }).id;
  const channel = discord.guild.addChannel({ name: 'general' }).id;
  const lines: Line[] = [];

  const call: DiscordApp['call'] = async (verb, path, body, headers = {}) => {
    const response = await fetch(`${discord.apiUrl}/v10${path}`, {
      method: verb,
      headers: {
        authorization: `Bot ${discord.botToken}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type') === 'application/json';
    return { status: response.status, body: isJson ? (JSON.parse(text) as Obj) : { text }, headers: response.headers };
  };

  const connect: DiscordApp['connect'] = async ({ intents = INTENTS, resume } = {}) => {
    const { url } = (await call('GET', '/gateway/bot')).body;
    const line = open(`${String(url)}/?v=10&encoding=json`);
    lines.push(line);
    await line.next((frame) => frame['op'] === 10);
    const token = discord.botToken;
    const properties = { os: 'linux', browser: 'test', device: 'test' };
    if (resume) line.send(6, { token, session_id: resume.sessionId, seq: resume.seq });
    else line.send(2, { token, intents, properties });
    await Promise.race([
      line.next((frame) => frame['t'] === 'READY' || frame['t'] === 'RESUMED' || frame['op'] === 9),
      line.closed(),
    ]);
    return line;
  };

  const line = await connect();
  return {
    discord,
    ana,
    channel,
    line,
    call,
    connect,
    async post(body) {
      const { status, body: message } = await call('POST', `/channels/${channel}/messages`, body);
      if (status !== 200) throw new Error(`not posted: ${JSON.stringify(message)}`);
      return String(message['id']);
    },
    respond: (interaction, type, data) =>
      call('POST', `/interactions/${String(interaction['id'])}/${String(interaction['token'])}/callback`, {
        type,
        ...(data ? { data } : {}),
      }),
    async interaction() {
      const last = line.dispatches.findLast(({ t }) => t === 'INTERACTION_CREATE');
      if (last) return last.d;
      return (await line.next((frame) => frame['t'] === 'INTERACTION_CREATE'))['d'] as Obj;
    },
    async stop() {
      for (const { ws } of lines) ws.terminate();
      await discord.close();
    },
  };
}

function open(url: string): Line {
  const ws = new WebSocket(url);
  const frames: Obj[] = [];
  const dispatches: { s: number; t: string; d: Obj }[] = [];
  const waiting = new Set<{ match: (frame: Obj) => boolean; found: (frame: Obj) => void }>();
  const end = new Promise<number>((resolve) => {
    ws.once('close', (code) => resolve(code));
  });
  ws.on('error', () => undefined);
  ws.on('message', (data) => {
    const frame = JSON.parse(String(data)) as Obj;
    frames.push(frame);
    if (frame['op'] === 0) dispatches.push(frame as never);
    for (const one of [...waiting]) {
      if (!one.match(frame)) continue;
      waiting.delete(one);
      one.found(frame);
    }
  });
  return {
    ws,
    dispatches,
    get sessionId() {
      return String(dispatches.find(({ t }) => t === 'READY')?.d['session_id']);
    },
    next: (match) => {
      const already = frames.find(match);
      if (already) return Promise.resolve(already);
      return new Promise((found) => {
        waiting.add({ match, found });
      });
    },
    send: (op, d) => ws.send(JSON.stringify({ op, d })),
    closed: () => end,
  };
}

/** A button of a message. */
export function button(customId: string, more: Obj = {}): Obj {
  return { type: 2, style: 1, custom_id: customId, label: customId.toUpperCase(), ...more };
}

export function row(...components: Obj[]): Obj {
  return { type: 1, components };
}

export function text(content: string): Obj {
  return { type: 10, content };
}

/** The body of a message of Components V2. */
export function v2(...components: Obj[]): Obj {
  return { flags: 1 << 15, components };
}
