import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { isObj } from '../json.ts';
import type { ApiCall } from './types.ts';
import { type Answer, dispatch } from './web-api/dispatch.ts';
import { respond, responseUrlBody } from './web-api/response-url.ts';
import { upload } from './web-api/upload.ts';
import type { World } from './world.ts';

const BODY_BYTES_MAX = 16 * 1024 * 1024;

/** The Web API, response URLs and upload URLs. */
export function createHttpServer(world: World): Server {
  return createServer((request, response) => {
    handle(world, request, response).catch((error: unknown) => {
      // The client went away in the middle of its request: its own affair.
      if (!request.complete) return;
      // A fault of the double itself must be seen: the client gets it, and so does the test.
      world.log.violation('double', '', 'internal', error instanceof Error ? String(error.stack) : String(error));
      response.destroy();
    });
  });
}

async function handle(world: World, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
  const body = await bodyOf(request);
  const type = request.headers['content-type'] ?? '';
  if (pathname.startsWith('/api/')) {
    const args = { ...Object.fromEntries(searchParams), ...readBody(world, pathname, type, body) };
    const call = begin(world, pathname.slice('/api/'.length), args, tokenOf(world, request, args));
    await answer(world, call, response, () => dispatch(world, call));
  } else if (pathname.startsWith('/actions/')) {
    const call = begin(world, 'response_url', responseUrlBody(world, body.toString()), 'none');
    await answer(world, call, response, () => respond(world, pathname, call));
  } else if (pathname.startsWith('/upload/')) {
    const call = begin(world, 'upload', {}, 'none');
    await answer(world, call, response, () => upload(world, pathname, type, body, call));
  } else {
    send(response, { status: 404, type: 'text/plain', body: 'not found' });
  }
}

function begin(world: World, method: string, args: ApiCall['args'], token: ApiCall['token']): ApiCall {
  const call: ApiCall = { method, args, at: world.clock.now(), token, applied: false };
  world.log.calls.push(call);
  return call;
}

/** Runs the call through whatever faults are armed for it, and tells how it ended. */
async function answer(world: World, call: ApiCall, response: ServerResponse, run: () => Answer): Promise<void> {
  const end = (result?: Answer) => {
    if (result) {
      call.status = result.status;
      const body = result.type.includes('json') || result.type.includes('html') ? JSON.parse(result.body || '{}') : {};
      if (isObj(body))
        Object.assign(call, { ok: body['ok'] === true, ...(body['error'] ? { error: body['error'] } : {}) });
      send(response, result);
    } else response.destroy();
    world.events.emit('call', call);
  };
  for (const fault of world.faults.strike(call)) {
    switch (fault.kind) {
      case 'delay':
        await sleep(fault.ms, undefined, { ref: false });
        break;
      case 'drop':
        return end();
      case 'hang':
        return;
      case 'apply_then_drop':
        run();
        return end();
      case 'apply_then_status':
        run();
        return end({ status: fault.status, type: 'text/plain', body: '' });
      case 'status':
        return end({ status: fault.status, headers: fault.headers ?? {}, type: 'text/plain', body: fault.body ?? '' });
      case 'rate_limited':
        return end({
          status: 429,
          headers: { 'retry-after': String(fault.retryAfter) },
          type: 'application/json; charset=utf-8',
          body: JSON.stringify({ ok: false, error: 'ratelimited' }),
        });
      case 'error':
        return end({
          status: 200,
          type: 'application/json; charset=utf-8',
          body: JSON.stringify({ ok: false, error: fault.error }),
        });
      case 'wrong_content_type':
        return end({ ...run(), type: 'text/html' });
    }
  }
  end(run());
}

function send(response: ServerResponse, { status, headers = {}, type, body }: Answer): void {
  if (response.destroyed) return;
  response.writeHead(status, { 'content-type': type, ...headers });
  response.end(body);
}

function tokenOf(world: World, request: IncomingMessage, args: ApiCall['args']): ApiCall['token'] {
  const given = request.headers.authorization?.replace(/^Bearer /, '') ?? args['token'];
  if (!given) return 'none';
  return given === world.tokens.bot ? 'bot' : given === world.tokens.app ? 'app' : 'unknown';
}

function readBody(world: World, path: string, type: string, body: Buffer): Record<string, unknown> {
  if (body.length === 0) return {};
  if (type.startsWith('application/x-www-form-urlencoded'))
    return Object.fromEntries(new URLSearchParams(body.toString()));
  try {
    const value: unknown = type.startsWith('application/json') ? JSON.parse(body.toString()) : undefined;
    if (isObj(value)) return value;
  } catch {
    // Falls through to the same complaint.
  }
  world.log.violation(
    path,
    '',
    'invalid_post_type',
    `a body of type ${type || 'unknown'} that is no form and no JSON object`,
  );
  return {};
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > BODY_BYTES_MAX) throw new Error(`A request body of more than ${BODY_BYTES_MAX} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
