import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { asObj } from '../json.ts';
import { ApiError } from './rest/api-error.ts';
import { BODY_BYTES_MAX, readBody } from './rest/body.ts';
import { type Answer, dispatch, type Incoming, limited, match, refusal } from './rest/dispatch.ts';
import type { ApiCall } from './types.ts';
import type { World } from './world.ts';

const ROOT = '/api/v10';

/** REST, and the files of messages. */
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
  const [, , channelId, fileId] = pathname.split('/');
  if (pathname.startsWith('/attachments/')) {
    sendFile(world, response, channelId ?? '', fileId ?? '');
    return;
  }
  if (!pathname.startsWith(`${ROOT}/`))
    return send(world, response, { status: 404, type: 'text/plain', body: 'not found' });
  const path = decodeURIComponent(pathname.slice(ROOT.length));
  const read = await readBody(request.headers['content-type'] ?? '', body);
  const incoming: Incoming = {
    verb: request.method ?? 'GET',
    path,
    query: searchParams,
    json: read?.json ?? {},
    files: read?.files ?? [],
  };
  const matched = match(incoming.verb, path);
  const call: ApiCall = {
    method: matched?.route.method ?? 'unknown',
    route: `${incoming.verb} ${path.replace(/\/[\w-]{80,}/, '/…')}`,
    args: {
      ...Object.fromEntries(searchParams),
      ...(Array.isArray(incoming.json) ? { items: incoming.json } : asObj(incoming.json)),
    },
    at: world.clock.now(),
    token: tokenOf(world, request, matched?.route.auth),
    applied: false,
  };
  world.log.calls.push(call);
  await answer(world, call, response, () =>
    read ? dispatch(world, call, incoming, matched) : refusal(world, new ApiError(50109)),
  );
}

/** Runs the call through whatever faults are armed for it, and tells how it ended. */
async function answer(world: World, call: ApiCall, response: ServerResponse, run: () => Answer): Promise<void> {
  const end = (result?: Answer) => {
    if (result) {
      call.status = result.status;
      call.ok = result.status < 400;
      const code =
        result.type === 'application/json' && !call.ok ? asObj(JSON.parse(result.body ?? '{}'))['code'] : undefined;
      if (typeof code === 'number') call.error = code;
      send(world, response, result);
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
        return end(limited(world, fault.retryAfter, fault.scope ?? 'user'));
      case 'error': {
        const unauthorized = fault.code === 0 && fault.status === 401 ? { message: '401: Unauthorized' } : {};
        const status = fault.status === undefined ? {} : { status: fault.status };
        return end(refusal(world, new ApiError(fault.code, { ...status, ...unauthorized })));
      }
      case 'wrong_content_type':
        return end({ ...run(), type: 'text/html' });
    }
  }
  end(run());
}

/** Discord's time is in every answer: the clock of the double, whatever the host's says. */
function send(world: World, response: ServerResponse, { status, headers = {}, type, body }: Answer): void {
  if (response.destroyed) return;
  const date = new Date(world.clock.now()).toUTCString();
  response.writeHead(status, { date, ...(type === undefined ? {} : { 'content-type': type }), ...headers });
  response.end(body);
}

function sendFile(world: World, response: ServerResponse, channelId: string, fileId: string): void {
  const file = world.messages
    .all(channelId)
    .flatMap((message) => message.files)
    .find((one) => one.id === fileId);
  if (!file) {
    send(world, response, { status: 404, type: 'text/plain', body: '' });
    return;
  }
  response.writeHead(200, { 'content-type': file.type });
  response.end(file.content);
}

function tokenOf(world: World, request: IncomingMessage, auth: 'bot' | 'token' | undefined): ApiCall['token'] {
  const given = request.headers.authorization?.replace(/^Bot /, '');
  if (!given) return auth === 'token' ? 'webhook' : 'none';
  return given === world.token.value ? 'bot' : 'unknown';
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
