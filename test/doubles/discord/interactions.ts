import type { Clock } from '../clock.ts';
import type { Events } from '../events.ts';
import type { Log } from './log.ts';
import type { MessageRecord } from './messages.ts';
import type { Snowflakes } from './snowflake.ts';
import type { DiscordEvents, Interaction, InteractionResult } from './types.ts';

/** 2 slash command, 3 message component, 5 modal submit. */
export type InteractionKind = 2 | 3 | 5;

export interface InteractionRecord {
  readonly id: string;
  readonly token: string;
  readonly kind: InteractionKind;
  readonly at: number;
  readonly userId: string;
  readonly channelId: string;
  /** The message whose component was used, also for a modal that was opened from one. */
  readonly message?: MessageRecord;
  readonly customId?: string;
  readonly command?: string;
  readonly payload: Readonly<Record<string, unknown>>;
  /** How often it was written to a connection: once each, and again by a RESUME. */
  deliveries: number;
  /** How often somebody tried to respond first. */
  callbacks: number;
  /** The first response's type. */
  answered?: number;
  gaveUp: boolean;
  /** What `@original` is: the response's message, or the component's own after an update. */
  original?: MessageRecord;
  readonly followUps: Set<string>;
  settle(result: InteractionResult): void;
}

/** What the one who started it wants to hear. */
export interface Outcome {
  readonly succeeded?: () => void;
  readonly failed?: (reason: 'timeout' | 'no_connection') => void;
}

export type NewInteraction = Pick<InteractionRecord, 'kind' | 'userId' | 'channelId'> &
  Partial<Pick<InteractionRecord, 'message' | 'customId' | 'command'>> & {
    readonly payload: (id: string, token: string) => Readonly<Record<string, unknown>>;
  };

export interface InteractionStore {
  /** Sends it to every session, also those that are about to RESUME; the record waits 3 s for a response. */
  start(fresh: NewInteraction, outcome?: Outcome): Interaction;
  find(id: string): InteractionRecord | undefined;
  byToken(token: string): InteractionRecord | undefined;
  /** It was written to a connection. */
  delivered(id: string): void;
  answer(record: InteractionRecord, type: number): void;
  /** Whether the token of the interaction's webhook is still good. */
  isAlive(record: InteractionRecord): boolean;
  /** Everything that waits settles as `no_connection`. */
  close(): void;
}

/** How long Discord waits for the first response, and how long the token lives. */
const RESPOND_MS = 3000;
const TOKEN_MS = 15 * 60_000;

const NAMES = { 2: 'application_command', 3: 'message_component', 5: 'modal_submit' } as const;

export function createInteractions(
  clock: Clock,
  ids: Snowflakes,
  events: Events<DiscordEvents>,
  log: Log,
  /** Whether there is a session at all. */
  send: (payload: Readonly<Record<string, unknown>>) => boolean,
): InteractionStore {
  const byId = new Map<string, InteractionRecord>();
  const tokens = new Map<string, InteractionRecord>();

  const giveUp = (record: InteractionRecord, reason: 'timeout' | 'no_connection', outcome: Outcome) => {
    if (record.answered !== undefined || record.gaveUp) return;
    record.gaveUp = true;
    // An app that was never told of it broke no rule.
    if (reason === 'timeout' && record.deliveries > 0) {
      log.violation('interaction', '', 'unanswered', `nobody responded to ${describe(record)} within 3 s`);
    }
    outcome.failed?.(reason);
    record.settle({ kind: 'unacked', reason });
    events.emit('unacked', { interactionId: record.id });
  };
  const waiting = new Map<InteractionRecord, Outcome>();

  return {
    find: (id) => byId.get(id),
    byToken: (token) => tokens.get(token),
    isAlive: (record) => clock.now() - record.at < TOKEN_MS,
    start(fresh, outcome = {}) {
      const id = ids.next();
      // Looks like Discord's (base64 of "interaction:id:…"), and says nothing.
      const token = Buffer.from(`interaction:${id}:${'x'.repeat(120)}`).toString('base64url');
      const payload = fresh.payload(id, token);
      let settle: (result: InteractionResult) => void = () => undefined;
      const settled = new Promise<InteractionResult>((resolve) => {
        settle = resolve;
      });
      const record: InteractionRecord = {
        ...fresh,
        id,
        token,
        at: clock.now(),
        payload,
        deliveries: 0,
        callbacks: 0,
        gaveUp: false,
        followUps: new Set(),
        settle,
      };
      byId.set(id, record);
      tokens.set(token, record);
      waiting.set(record, outcome);
      if (send(payload)) clock.after(RESPOND_MS, () => giveUp(record, 'timeout', outcome));
      else giveUp(record, 'no_connection', outcome);
      return { id, token, type: NAMES[fresh.kind], payload, settled };
    },
    delivered(id) {
      const record = byId.get(id);
      if (record) record.deliveries += 1;
    },
    answer(record, type) {
      record.answered = type;
      waiting.get(record)?.succeeded?.();
      waiting.delete(record);
      record.settle({ kind: 'acked', type, afterMs: clock.now() - record.at });
      events.emit('ack', { interactionId: record.id, type });
    },
    close() {
      for (const [record, outcome] of waiting) giveUp(record, 'no_connection', outcome);
    },
  };
}

function describe(record: InteractionRecord): string {
  return record.command === undefined ? `"${record.customId}"` : `/${record.command}`;
}
