import type { Obj } from '../../json.ts';
import type { Issue } from '../block-kit/schema.ts';
import type { DeliverOptions, Interaction, InteractionResult, UnackedReason } from '../types.ts';
import type { World } from '../world.ts';
import { mustBeEmpty, parseAck } from './ack-rules.ts';
import { type Connection, createWriter } from './connection.ts';
import type { Hub } from './hub.ts';

export type EnvelopeType = 'events_api' | 'interactive' | 'slash_commands';

export interface Outgoing {
  readonly envelope: EnvelopeType;
  readonly payload: Obj;
  /** What Slack makes of the ack's payload. Issues mean that the app broke a rule, and the ack does not count. */
  readonly acked?: ((payload: Obj) => readonly Issue[]) | undefined;
  readonly failed?: (reason: UnackedReason) => void;
  readonly succeeded?: () => void;
}

export interface Delivery {
  send(outgoing: Outgoing, options?: DeliverOptions): Interaction;
  /** Those that wait for an ack end without one. */
  close(): void;
}

/** Slack waits this long for an ack. */
const ACK_MS = 3000;

interface Pending {
  readonly envelopeId: string;
  readonly connection: Connection;
  settle(result: InteractionResult): void;
  ack(payload: Obj): void;
}

/** Each envelope to one open connection, chosen by the seed; interactive ones once, whatever becomes of them. */
export function createDelivery(world: World, hub: Hub): Delivery {
  const writer = createWriter(world.faults);
  const pending = new Set<Pending>();
  const sentTo = new Map<string, Set<string>>();
  const envelopeIds = () => `${world.random.id('', 8)}-${world.random.id('', 12)}`.toLowerCase();

  const connectionFor = (id: string | undefined): Connection | undefined => {
    const ready = [...hub.connections].filter((one) => one.greeted && one.ws.readyState === one.ws.OPEN);
    return id === undefined ? world.random.pick(ready) : ready.find((one) => one.id === id);
  };

  hub.onClose((connection) => {
    for (const one of pending)
      if (one.connection === connection) one.settle({ kind: 'unacked', reason: 'connection_lost' });
  });

  hub.onFrame((connection, text) => {
    const frame = parseAck(text);
    if (typeof frame === 'string') {
      world.log.violation('socket', '', 'ack_frame', frame);
      return;
    }
    const waiting = [...pending].find((one) => one.envelopeId === frame.envelopeId && one.connection === connection);
    if (waiting) waiting.ack(frame.payload);
    else if (!sentTo.has(frame.envelopeId)) {
      world.log.violation(
        'socket',
        '/envelope_id',
        'ack_unknown_envelope',
        'acknowledged an envelope that was never sent',
      );
    } else if (!sentTo.get(frame.envelopeId)?.has(connection.id)) {
      world.log.violation(
        'socket',
        '/envelope_id',
        'ack_elsewhere',
        'acknowledged on another connection than the one it came by',
      );
    }
    // Else it is late or a second one, which Slack lets pass.
  });

  return {
    send({ envelope, payload, acked, failed, succeeded }, options = {}) {
      const envelopeId = options.envelopeId ?? envelopeIds();
      const type = String(payload['type'] ?? envelope);
      const connection = connectionFor(options.connection);
      const settled = new Promise<InteractionResult>((resolve) => {
        if (!connection) {
          failed?.('no_connection');
          world.events.emit('unacked', { envelopeId, type });
          resolve({ kind: 'unacked', reason: 'no_connection' });
          return;
        }
        const sentAt = world.clock.now();
        const callOff = world.clock.after(ACK_MS, () => one.settle({ kind: 'unacked', reason: 'timeout' }));
        const one: Pending = {
          envelopeId,
          connection,
          settle(result) {
            pending.delete(one);
            callOff();
            if (result.kind === 'unacked') {
              failed?.(result.reason);
              world.events.emit('unacked', { envelopeId, type });
            } else succeeded?.();
            resolve(result);
          },
          ack(body) {
            const issues = (acked ?? mustBeEmpty)(body);
            for (const issue of issues) world.log.violation(`ack:${type}`, issue.pointer, 'bad_ack', issue.message);
            world.events.emit('ack', { envelopeId, type, connection: connection.id, payload: body });
            const afterMs = world.clock.now() - sentAt;
            // Slack ignores what it did not ask for; only an answer it has to act on can fail.
            if (issues.length > 0 && acked) one.settle({ kind: 'unacked', reason: 'bad_ack' });
            else one.settle({ kind: 'acked', connection: connection.id, payload: body, afterMs });
          },
        };
        pending.add(one);
        sentTo.set(envelopeId, (sentTo.get(envelopeId) ?? new Set()).add(connection.id));
        const retry =
          envelope === 'events_api'
            ? { retry_attempt: options.retryAttempt ?? 0, retry_reason: options.retryReason ?? '' }
            : {};
        const accepts_response_payload = envelope !== 'events_api';
        writer.write(
          connection,
          JSON.stringify({ envelope_id: envelopeId, type: envelope, accepts_response_payload, ...retry, payload }),
        );
        world.events.emit('frame', { envelopeId, type, connection: connection.id });
      });
      return { envelopeId, type, payload, settled };
    },
    close() {
      for (const one of [...pending]) one.settle({ kind: 'unacked', reason: 'no_connection' });
    },
  };
}
