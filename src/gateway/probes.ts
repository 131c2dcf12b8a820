import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { HandraiseError, sentenceOf } from '../core/errors.ts';

export interface Probes {
  /** `http://host:port`, with the port that was taken. */
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Answers what runs the process: `GET /healthz` (it is alive) and `GET /readyz` (200, or 503 with what is missing, as
 * `ready` says: empty when nothing is). No tokens, no questions. Throws `unavailable` when the address cannot be had.
 */
export async function startProbes(listen: string, ready: () => Promise<readonly string[]>): Promise<Probes> {
  const { host, port } = addressOf(listen);
  const server = createServer((request, response) => {
    const answer = (status: number, text: string) => {
      response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' });
      response.end(request.method === 'HEAD' ? undefined : `${text}\n`);
    };
    if (request.method !== 'GET' && request.method !== 'HEAD') return answer(405, 'GET only');
    if (request.url === '/healthz') return answer(200, 'alive');
    if (request.url !== '/readyz') return answer(404, '/healthz or /readyz');
    ready().then(
      (missing) => answer(missing.length === 0 ? 200 : 503, missing.length === 0 ? 'ready' : missing.join('\n')),
      (error: unknown) => answer(503, sentenceOf(error)),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause: Error) =>
      reject(
        new HandraiseError(`The gateway cannot listen on ${listen}: ${cause.message}`, {
          code: 'unavailable',
          hint: 'Set gateway.listen to a free address; another gateway on this host needs one of its own.',
          cause,
        }),
      ),
    );
    server.listen({ host, port }, resolve);
  });
  const bound = (server.address() as AddressInfo).port;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** The configuration has checked its form. */
function addressOf(listen: string): { host: string; port: number } {
  const at = listen.lastIndexOf(':');
  return { host: listen.slice(0, at).replace(/^\[|\]$/g, ''), port: Number(listen.slice(at + 1)) };
}
