import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { sentenceOf } from '../core/errors.ts';
import type { Logger } from '../core/ports/logger.ts';
import type { SurfaceAdapter } from '../core/ports/surface-adapter.ts';
import type { Backlog } from '../store/redis/backlog.ts';
import type { GatewayMeter } from './gateway-meter.ts';
import { OUTCOMES, REASONS } from './row-counter.ts';

/** What is looked at when somebody asks for the metrics. */
export interface Watched {
  readonly adapters: readonly Pick<SurfaceAdapter, 'platform' | 'health'>[];
  readonly backlog: () => Promise<Backlog>;
}

export interface Metrics {
  readonly meter: GatewayMeter;
  /** Adds the gauges. Called once. */
  watch(watched: Watched): void;
  /** Everything in Prometheus' text format. Never a text, a name or an id of a request or a person. */
  read(): Promise<{ readonly contentType: string; readonly text: string }>;
}

/** Seconds. From a click to its delivery a few milliseconds are normal; an agent's host may be far away, or gone. */
const DELIVERY_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** Seconds. Slack and Discord show an error to the person after 3 s. */
const ACK_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 3];

/**
 * The metrics of one gateway, in a registry of their own. docs/deploy.md lists them and says how to add them up over
 * several gateways; nothing outside this file knows the library.
 */
export function createMetrics(log: Logger): Metrics {
  const register = new Registry();
  const registers = [register];
  const counter = (name: string, help: string) => new Counter({ name, help, registers });
  const gauge = (name: string, help: string, labelNames: string[] = []) =>
    new Gauge({ name, help, labelNames, registers });
  let look: () => Promise<void> = async () => undefined;
  collectDefaultMetrics({ register });

  /** A counter that shows every value of its label from the start, so that its first step can be seen. */
  function labelled<L extends string>(name: string, help: string, labels: Readonly<Record<L, readonly string[]>>) {
    const [label = '', values = []] = Object.entries<readonly string[]>(labels)[0] ?? [];
    const made = new Counter({ name, help, labelNames: [label], registers });
    for (const value of values) made.inc({ [label]: value }, 0);
    return (value: string) => made.inc({ [label]: value });
  }

  const asked = counter('handraise_asked_total', 'Requests that agents put to people.');
  const posted = counter('handraise_cards_posted_total', 'Cards put into a channel.');
  const failed = counter('handraise_post_failures_total', 'Tries to put a card into a channel that failed.');
  const settled = counter('handraise_cards_settled_total', 'Cards that were made to show the end of their request.');
  const claimed = counter('handraise_decisions_total', 'Clicks and submits that decided a request.');
  const refused = labelled('handraise_clicks_refused_total', 'Clicks and submits that decided nothing.', {
    reason: REASONS,
  });
  const outcomes = labelled('handraise_outcomes_total', 'Requests that ended, by how they ended.', {
    outcome: OUTCOMES,
  });
  const redis = labelled('handraise_redis_errors_total', 'Redis commands of this gateway that failed.', {
    kind: ['unreachable', 'timeout', 'lost', 'refused'],
  });
  const delivery = new Histogram({
    name: 'handraise_click_to_delivered_seconds',
    help: "From the recorded decision to the agent's side confirming that it arrived, by Redis' clock.",
    buckets: DELIVERY_BUCKETS,
    registers,
  });
  const acks = new Histogram({
    name: 'handraise_ack_seconds',
    help: 'From a frame of the chat platform to its acknowledgement, over connections of this gateway.',
    labelNames: ['platform'],
    buckets: ACK_BUCKETS,
    registers,
  });

  return {
    meter: {
      asked: () => asked.inc(),
      cardPosted: () => posted.inc(),
      postFailed: () => failed.inc(),
      cardSettled: () => settled.inc(),
      claimed: () => claimed.inc(),
      clickRefused: refused,
      ended: outcomes,
      redisFailed: redis,
      delivered: (afterMs) => delivery.observe(afterMs / 1_000),
      acknowledged: (platform, afterMs) => acks.observe({ platform }, afterMs / 1_000),
    },
    watch({ adapters, backlog }) {
      const connections = gauge('handraise_connections', 'Connections of this gateway over which clicks can arrive.', [
        'platform',
      ]);
      const lookAtBacklog = backlogGauges(gauge);
      look = async () => {
        for (const adapter of adapters) connections.set({ platform: adapter.platform }, adapter.health().connections);
        lookAtBacklog(
          await backlog().catch((error: unknown) => {
            log.warn({ error: sentenceOf(error) }, 'the backlog could not be counted');
            return undefined;
          }),
        );
      };
    },
    async read() {
      await look();
      return { contentType: register.contentType, text: await register.metrics() };
    },
  };
}

/** While the backlog is not known they say so (NaN) rather than what was true before. */
function backlogGauges(gauge: (name: string, help: string) => Gauge): (found: Backlog | undefined) => void {
  const withoutCard = gauge(
    'handraise_asked_without_card',
    'Open requests that have no card anywhere, so that nobody can see them.',
  );
  const unsettled = gauge('handraise_settle_backlog_cards', 'Cards of ended requests that do not show it yet.');
  const unsealed = gauge('handraise_audit_unsealed_seconds', 'Age of the oldest audit row that is not sealed yet.');
  return (found) => {
    withoutCard.set(found?.withoutCard ?? Number.NaN);
    unsettled.set(found?.unsettledCards ?? Number.NaN);
    unsealed.set(found === undefined ? Number.NaN : found.unsealedForMs / 1_000);
  };
}
