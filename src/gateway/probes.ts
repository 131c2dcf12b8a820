import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { HandraiseError, sentenceOf } from '../core/errors.ts';

export interface Probes {
  /** `http://host:port`, with the port that was taken. */
  readonly url: string;
  close(): Promise<void>;
}

export interface ProbeAnswers {
  /** What is missing; empty when nothing is. */
  ready(): Promise<readonly string[]>;
  metrics(): Promise<{ readonly contentType: string; readonly text: string }>;
}

const PLAIN = 'text/plain; charset=utf-8';

/**
 * Answers what runs the process: `GET /healthz` (it is alive), `GET /readyz` (200, or 503 with what is missing) and
 * `GET /metrics` (Prometheus). No tokens, no questions. Throws `unavailable` when the address cannot be had.
 */
export async function startProbes(listen: string, { ready, metrics }: ProbeAnswers): Promise<Probes> {
  const { host, port } = addressOf(listen);
  const server = createServer((request, response) => {
    const answer = (status: number, text: string, contentType = PLAIN) => {
      response.writeHead(status, { 'content-type': contentType, 'cache-control': 'no-store' });
      response.end(request.method === 'HEAD' ? undefined : `${text.trimEnd()}\n`);
    };
    const failed = (error: unknown) => answer(503, sentenceOf(error));
    if (request.method !== 'GET' && request.method !== 'HEAD') return answer(405, 'GET only');
    if (request.url === '/healthz') return answer(200, 'alive');
    if (request.url === '/metrics') {
      return void metrics().then(({ text, contentType }) => answer(200, text, contentType), failed);
    }
    if (request.url !== '/readyz') return answer(404, '/healthz, /readyz or /metrics');
    ready().then(
      (missing) => answer(missing.length === 0 ? 200 : 503, missing.length === 0 ? 'ready' : missing.join('\n')),
      failed,
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
