import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { HandraiseError, sentenceOf } from '../../../src/core/errors.ts';
import { performAct } from './act.ts';
import type { Agents } from './agent-run.ts';
import { sendLive } from './live.ts';
import { readPageFiles } from './page-files.ts';
import type { PlaygroundWorkspace } from './workspace.ts';

export interface PageServer {
  /** `http://127.0.0.1:PORT/` */
  readonly url: string;
  close(): Promise<void>;
}

/** Nothing from elsewhere is loaded, framed or run, whatever an agent writes. */
const HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
} as const;

/** Bytes a request may have; the longest text an input takes is 3,000 characters. */
const LONGEST_BODY = 65_536;

/** How long a page may take to read what it is sent last. */
const LAST_WORDS_WITHIN_MS = 1_000;

/** Serves the page on 127.0.0.1. Rejects when the port is taken. */
export async function startPageServer(
  workspace: PlaygroundWorkspace,
  agent: Agents,
  port: number,
): Promise<PageServer> {
  const files = await readPageFiles();
  const live = new Map<ServerResponse, () => void>();
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      if (!response.headersSent) reply(response, 500, { kind: 'refused', reason: sentenceOf(error) });
      else response.destroy();
    });
  });

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    for (const [name, value] of Object.entries(HEADERS)) response.setHeader(name, value);
    // A name that resolves to this machine would let a foreign page in the same browser talk to us.
    if (!isOurName(request.headers.host))
      return reply(response, 403, { kind: 'refused', reason: 'Unknown host name.' });
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    if (request.method === 'POST') return answerPost(pathname, request, response);
    const person = workspace.people.find(({ id }) => id === searchParams.get('user'));
    const file = files.get(pathname);
    if (file !== undefined) {
      response.writeHead(200, { 'content-type': file.type, 'cache-control': 'no-cache' });
      response.end(file.content);
    } else if (pathname === '/setup') {
      reply(response, 200, { workspace: workspace.slack.workspace.name, people: workspace.people });
    } else if (pathname === '/events' && person !== undefined) {
      live.set(response, sendLive(response, person, workspace, agent));
      response.on('close', () => live.delete(response));
    } else {
      reply(response, 404, { kind: 'refused', reason: 'There is no such page.' });
    }
  };

  const answerPost = async (path: string, request: IncomingMessage, response: ServerResponse): Promise<void> => {
    // Other sites can send forms here, but JSON only after a preflight, which is not answered.
    if (request.headers['content-type'] !== 'application/json') {
      return reply(response, 415, { kind: 'refused', reason: 'Only JSON is taken.' });
    }
    const body = await readBody(request);
    if (path === '/act') return reply(response, 200, await performAct(workspace, body));
    if (path === '/agent') {
      return reply(
        response,
        200,
        agent.start() ? { kind: 'done' } : { kind: 'refused', reason: 'The agent is running.' },
      );
    }
    reply(response, 404, { kind: 'refused', reason: 'There is no such page.' });
  };

  await listen(server, port);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async close() {
      const closed = once(server, 'close');
      server.close();
      const ends = [...live].map(([response, end]) => {
        const ended = once(response, 'close');
        end();
        return ended;
      });
      // A page that does not read keeps nobody waiting.
      await Promise.race([Promise.all(ends), delay(LAST_WORDS_WITHIN_MS, undefined, { ref: false })]);
      server.closeAllConnections();
      await closed;
    },
  };
}

async function listen(server: Server, port: number): Promise<void> {
  const listening = once(server, 'listening');
  server.listen(port, '127.0.0.1');
  try {
    await listening;
  } catch (error) {
    throw new HandraiseError(`The page cannot be served on port ${port}: ${sentenceOf(error)}.`, {
      code: 'unavailable',
      hint: 'Leave --port out to take any free one.',
      cause: error,
    });
  }
}

function isOurName(host: string | undefined): boolean {
  return host !== undefined && /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/.test(host);
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += (chunk as Buffer).length;
    if (size > LONGEST_BODY) throw new Error('The request is too long.');
    chunks.push(chunk as Buffer);
  }
  return JSON.parse(Buffer.concat(chunks).toString('utf8'));
}

function reply(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  response.end(JSON.stringify(body));
}
