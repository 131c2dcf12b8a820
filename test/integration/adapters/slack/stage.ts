import { afterEach, expect } from 'vitest';
import { createSlackAdapter } from '../../../../adapters/slack/index.ts';
import type { Clock } from '../../../../src/core/clock.ts';
import { systemClock } from '../../../../src/core/clock.ts';
import type {
  Card,
  FormLookup,
  Place,
  PrivateReply,
  SurfaceAdapter,
  SurfaceHost,
  SurfaceResponse,
} from '../../../../src/core/ports/surface-adapter.ts';
import type { QuestionBatch } from '../../../../src/core/questions/contract.ts';
import type { CardRef } from '../../../../src/core/request.ts';
import { questionView } from '../../../../src/prompt/card-view.ts';
import { type SlackDouble, type SlackDoubleOptions, startSlackDouble } from '../../../doubles/slack/index.ts';
import { type LogLine, recordingLog } from '../../../support/recording-log.ts';
import { SESSION } from '../../../support/requests.ts';

/** A gateway's side of the port that answers from a table of cards and keeps what it was told. */
interface RecordingHost extends SurfaceHost {
  /** Resolves at the next response. */
  arrived(): Promise<void>;
  readonly responses: SurfaceResponse[];
  /** Cards by request id; a request that is not here is refused. */
  readonly cards: Map<string, Card>;
  /** What the next responses are answered with; default nothing. */
  reply: PrivateReply;
  /** Resolves before a look-up answers. */
  gate: Promise<void>;
}

export interface Stage {
  readonly slack: SlackDouble;
  readonly adapter: SurfaceAdapter;
  readonly host: RecordingHost;
  readonly log: { readonly lines: readonly LogLine[] };
  readonly ana: string;
  readonly ben: string;
  readonly channel: string;
  readonly place: Place;
  /** Posts an open card and lets the host know of it. */
  post(batch: QuestionBatch, requestId?: string): Promise<CardRef>;
  /** The n-th response from now, or the one that is there already. */
  response(count?: number): Promise<SurfaceResponse>;
}

const opened: { slack: SlackDouble; adapter: SurfaceAdapter }[] = [];

/** Whatever a test does, the platform's rules were kept. */
afterEach(async () => {
  for (const { slack, adapter } of opened.splice(0)) {
    await adapter.stop(500);
    await slack.close();
    expect(slack.violations).toEqual([]);
  }
});

export interface StageOptions extends SlackDoubleOptions {
  readonly adapterClock?: Clock;
  readonly secondConnectionAfterMs?: number;
  /** false: the test starts the adapter itself. */
  readonly start?: boolean;
}

export async function openStage(options: StageOptions = {}): Promise<Stage> {
  const slack = await startSlackDouble(options);
  const ana = slack.workspace.addUser({ name: 'ana', real_name: 'Ana' }).id;
  const ben = slack.workspace.addUser({ name: 'ben', real_name: 'Ben' }).id;
  const channel = slack.workspace.addChannel({ name: 'agents' }).id;
  const clock = options.adapterClock ?? systemClock;
  const log = recordingLog();
  const adapter = createSlackAdapter(
    {
      botToken: slack.botToken,
      appToken: slack.appToken,
      apiUrl: slack.apiUrl,
      secondConnectionAfterMs: options.secondConnectionAfterMs ?? 60_000,
    },
    { clock, log },
  );
  opened.push({ slack, adapter });
  const host = recordingHost();
  if (options.start !== false) await adapter.start(host);
  const place: Place = { platform: 'slack', channel };
  return {
    slack,
    adapter,
    host,
    log,
    ana,
    ben,
    channel,
    place,
    async post(batch, requestId = 'request-1') {
      const card = openCard(batch, requestId);
      host.cards.set(requestId, card);
      const thread = await adapter.openThread(place, SESSION);
      return adapter.post(place, thread, card);
    },
    async response(count = 1) {
      while (host.responses.length < count) await host.arrived();
      return host.responses[count - 1] as SurfaceResponse;
    },
  };
}

/** A card that is open for a minute from a fixed time. */
export function openCard(batch: QuestionBatch, requestId = 'request-1'): Card {
  return {
    view: questionView(requestId, SESSION, batch),
    state: { phase: 'open', deadline: Date.UTC(2026, 7, 3, 10, 5) },
  };
}

function recordingHost(): RecordingHost {
  let arrive: () => void = () => undefined;
  let arrival = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  const host = {
    responses: [] as SurfaceResponse[],
    cards: new Map<string, Card>(),
    reply: undefined as PrivateReply,
    gate: Promise.resolve(),
    arrived: () => arrival,
    async respond(response: SurfaceResponse): Promise<PrivateReply> {
      host.responses.push(response);
      const { reply } = host;
      arrive();
      arrival = new Promise<void>((resolve) => {
        arrive = resolve;
      });
      return reply;
    },
    readDraft: async () => undefined,
    writeDraft: async () => false,
    async lookUp(requestId: string): Promise<FormLookup> {
      await host.gate;
      const card = host.cards.get(requestId);
      return card === undefined ? { refused: 'Already answered by Ben 3 s ago.' } : { card };
    },
  };
  return host;
}
