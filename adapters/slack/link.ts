import { SocketModeClient } from '@slack/socket-mode';
import type { Clock } from '../../src/core/clock.ts';
import { sentenceOf } from '../../src/core/errors.ts';
import { pause, within } from '../../src/core/pause.ts';
import type { Logger } from '../../src/core/ports/logger.ts';
import { sdkLogger } from './bolt-log.ts';
import type { CheckedSlackConfig } from './config.ts';
import { surfaceError } from './errors.ts';
import { OURS } from './limits.ts';
import { keepOpenAtRefresh } from './refresh.ts';

/** One envelope as the socket client hands it over. */
export interface Envelope {
  readonly type?: string;
  readonly body: Record<string, unknown>;
  readonly ack: (response?: unknown) => Promise<void>;
  readonly retry_num?: number;
  readonly retry_reason?: string;
}

/** Why a greeted link is to be replaced. A refresh still delivers until Slack closes it; a dead one does not. */
export interface Leaving {
  readonly kind: 'refresh' | 'dead';
  readonly why: string;
}

/** One WebSocket session, from its ticket to its end. Never reconnects: `connection.ts` opens another. */
export interface Link {
  /** Resolves at Slack's hello; rejects with a `SurfaceError` when it does not come. */
  readonly greeted: Promise<void>;
  readonly leaving: Promise<Leaving>;
  /** Whether envelopes can arrive and acks can leave. */
  isOpen(): boolean;
  /** How many connections the app had at the hello, this one included; undefined where Slack did not say. */
  connections(): number | undefined;
  /** Ends it, by force if the other side does not answer. Never rejects. */
  close(): Promise<void>;
}

export interface LinkDependencies {
  readonly config: CheckedSlackConfig;
  readonly clock: Clock;
  readonly log: Logger;
  readonly onEnvelope: (envelope: Envelope) => void;
}

const TIMES = {
  /** From the ticket to hello. The stock client waits for ever. */
  hello: 10_000,
  /** Pings: generous, since event loops stall (bolt-js#2496); a silent peer is noticed within this. */
  clientPing: 10_000,
  serverPing: 30_000,
  /** How often a link that stopped being open is looked for: the client itself tells only after its close handshake. */
  watch: 1_000,
  closeHandshake: 500,
} as const;

export function openLink(deps: LinkDependencies): Link {
  const { clock, log } = deps;
  const client = newClient(deps);
  const ending = new AbortController();
  let greeted = false;
  // A client without this member tells of its end by its event alone.
  const isDead = () => client.websocket !== undefined && !client.websocket.isActive();
  let gone = false;
  let leave: (leaving: Leaving) => void = () => undefined;
  const leaving = new Promise<Leaving>((resolve) => {
    leave = resolve;
  });

  const close = async () => {
    if (ending.signal.aborted) return;
    ending.abort();
    const closed = client
      .disconnect()
      .catch((error: unknown) => log.debug({ error: sentenceOf(error) }, 'a Slack connection ended oddly'));
    await within(clock, TIMES.closeHandshake, closed);
    // A second call while the first waits for the peer's close frame cuts the connection instead of waiting 30 s.
    client.websocket?.disconnect();
  };

  // `close` may come while the ticket is being fetched; the client would connect all the same.
  client.on('connecting', () => {
    if (ending.signal.aborted) queueMicrotask(() => client.websocket?.disconnect());
  });
  client.on('disconnected', () => {
    gone = true;
    leave({ kind: 'dead', why: 'the connection was closed' });
  });
  client.on('slack_event', (envelope: Envelope) => deps.onEnvelope(envelope));
  keepOpenAtRefresh(client, log, (why) => leave({ kind: 'refresh', why }));
  let connections: number | undefined;
  client.on('ws_message', (data: unknown) => {
    connections ??= connectionsIn(data);
  });

  const watch = async () => {
    while (!ending.signal.aborted) {
      await pause(clock, TIMES.watch, ending.signal);
      if (!ending.signal.aborted && isDead()) {
        leave({ kind: 'dead', why: 'the connection went silent' });
        await close();
      }
    }
  };

  const greet = async () => {
    const hello = client.start().then(
      () => 'hello' as const,
      // The client rejects with nothing when the socket closes before hello.
      (error: unknown) => Promise.reject(error ?? new Error('the connection closed before it was greeted')),
    );
    try {
      if ((await within(clock, TIMES.hello, hello)) === undefined)
        throw new Error('Slack did not greet the connection');
      greeted = true;
      void watch();
    } catch (error) {
      await close();
      throw surfaceError(error, 'apps.connections.open', 'app');
    }
  };

  return {
    greeted: greet(),
    leaving,
    isOpen: () => greeted && !gone && !ending.signal.aborted && !isDead(),
    connections: () => connections,
    close,
  };
}

function connectionsIn(frame: unknown): number | undefined {
  if (typeof frame !== 'string' || !frame.includes('"hello"')) return undefined;
  try {
    const { type, num_connections: count } = JSON.parse(frame) as { type?: unknown; num_connections?: unknown };
    return type === 'hello' && typeof count === 'number' ? count : undefined;
  } catch {
    // Not ours to judge: the client ignores frames that are no JSON.
    return undefined;
  }
}

function newClient({ config, log }: LinkDependencies): SocketModeClient {
  const logger = sdkLogger(log, 'socket-mode');
  return new SocketModeClient({
    appToken: config.appToken,
    autoReconnectEnabled: false,
    clientPingTimeout: TIMES.clientPing,
    serverPingTimeout: TIMES.serverPing,
    logger,
    // A fresh object: the client writes into it.
    clientOptions: {
      retryConfig: { retries: 0 },
      rejectRateLimitedCalls: true,
      timeout: OURS.callMs,
      ...(config.apiUrl === undefined ? {} : { slackApiUrl: config.apiUrl }),
    },
  });
}
