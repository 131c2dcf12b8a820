import { join } from 'node:path';
import { DEFAULT_GATE_CONFIG } from '../config/gate.ts';
import type { Config } from '../config/schema.ts';
import type { Clock } from '../core/clock.ts';
import { HandraiseError, sentenceOf } from '../core/errors.ts';
import type { NewId } from '../core/ids.ts';
import type { Logger } from '../core/ports/logger.ts';
import type { Redactor } from '../core/redact/redactor.ts';
import { GATEWAY_LEASE_MS, keepLease } from '../store/keep-lease.ts';
import { openRedisStore } from '../store/redis/open.ts';
import { readVerdictKey } from '../trust/keys.ts';
import { createVerdictSigner, createVoteTrust } from '../trust/verdicts.ts';
import { openGatewayAudit } from './audit-files.ts';
import { newControlPath } from './control/place.ts';
import { openControlSocket } from './control/server.ts';
import { createGateway } from './gateway.ts';
import { createLaterActions } from './later-actions.ts';
import { createMetrics } from './metrics.ts';
import { checkPlaces } from './places.ts';
import { policyDigest } from './policy-digest.ts';
import { startProbes } from './probes.ts';
import { createRowCounter } from './row-counter.ts';
import { signLease } from './signed-leases.ts';
import { signingKeyOf } from './signing-key.ts';
import { routeBy, surfacesOf } from './surfaces.ts';
import { Undo } from './undo.ts';

export interface GatewayProcessOptions {
  readonly config: Config;
  /** `$XDG_STATE_HOME/handraise`: the sealed audit goes to a file in it. */
  readonly stateDirectory: string;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly log: Logger;
  /** Masks on cards what this process knows to be secret. Absent: cards are drawn as owners recorded them. */
  readonly redactor?: Redactor;
}

export interface GatewayProcess {
  /** Where the probes are answered. */
  readonly url: string;
  /** Takes no more work, ends what is under way within `graceMs`, disconnects. */
  stop(graceMs: number): Promise<void>;
}

const DEFAULT_LISTEN = '127.0.0.1:8787';

/** Channels that refused are looked at again with every so many renewals of the lease: 17 s apart. */
const BEATS_A_RECHECK = 5;

/** Sealed rows stay in Redis as long as ended requests do; the files have them as long as `audit.retention` says. */
const AUDIT_IN_REDIS_MS = 7 * 24 * 3_600_000;

/**
 * One of any number of gateways over the same Redis: it alone has the chat tokens and the bindings. Resolves once it is
 * connected and its lease tells owners so. Throws `configuration` for what is missing, such as its signing key,
 * `unavailable` when Redis, a platform or the address of the probes cannot be had, and what the platform says when no
 * channel can be posted to.
 */
export async function startGatewayProcess(options: GatewayProcessOptions): Promise<GatewayProcess> {
  const { config, stateDirectory, clock, newId, log, redactor } = options;
  const { redisUrl, bindings } = needed(config);
  const metrics = createMetrics(log);
  const { meter } = metrics;
  const surfaces = await surfacesOf(config, bindings, {
    embedded: false,
    clock,
    log,
    onAcknowledged: meter.acknowledged,
  });
  const adapters = surfaces.map(({ adapter }) => adapter);
  const key = await signingKeyOf(config, log);
  const gatewayId = newId();
  const undo = new Undo(log);
  try {
    const store = await openRedisStore({ url: redisUrl.reveal(), clock, log, onFailure: meter.redisFailed });
    undo.add(() => store.stop());
    if (store.server.persistent === false) {
      log.warn({}, 'this Redis keeps nothing on disk (appendonly no): its restart loses open questions and answers');
    }
    let phase: 'starting' | 'ready' | 'stopping' = 'starting';
    metrics.watch({ adapters, backlog: () => store.backlog() });
    const ready = async () => {
      return [
        ...(phase === 'ready' ? [] : [`the gateway is ${phase}`]),
        ...adapters.map((adapter) => adapter.health()).flatMap(({ connected, detail }) => (connected ? [] : [detail])),
        ...(await store.leases.liveGateways().then(
          () => [],
          (error: unknown) => [sentenceOf(error)],
        )),
      ];
    };
    const probes = await startProbes(config.gateway?.listen ?? DEFAULT_LISTEN, { ready, metrics: metrics.read });
    undo.add(() => probes.close());
    const audit = openGatewayAudit(join(stateDirectory, 'audit'), {
      gatewayId,
      key,
      pinned: config.trust?.verdictKeys,
      clock: store.clock,
      ...config.audit,
    });
    undo.add(() => audit.close());
    const sealer = store.auditSealer({
      holder: gatewayId,
      file: audit,
      vouch: audit.vouch,
      retentionMs: AUDIT_IN_REDIS_MS,
      onSealed: createRowCounter(meter, store, log),
    });
    await store.recordPolicy({ gatewayId, digest: policyDigest(config), keyId: key.keyId });
    sealer.start();
    undo.add(() => sealer.stop());
    const redraw = (requestId: string) => gateway.redraw(requestId);
    const gateway = createGateway({
      store,
      adapters,
      route: routeBy(config),
      sign: createVerdictSigner(key),
      votes: createVoteTrust(key, [key.verdictKey, ...(config.trust?.verdictKeys ?? [])].map(readVerdictKey)),
      later: createLaterActions({ grants: store.grants, clock: store.clock, redraw }),
      ...(redactor === undefined ? {} : { redactor }),
      clock: store.clock,
      log,
      gatewayId,
    });
    await gateway.start();
    undo.add((graceMs) => gateway.stop(graceMs));
    const control = await openControlSocket(config.gateway?.controlSocket ?? newControlPath(stateDirectory), {
      store,
      decider: gateway.decider,
      grants: { kept: store.grants, redraw },
      clock: store.clock,
      newId,
      log,
    });
    undo.add(() => control.close());
    const places = await checkPlaces(bindings, adapters, log);
    let beats = 0;
    const hold = async (forMs: number) => {
      beats += 1;
      if (beats % BEATS_A_RECHECK === 0) await places.recheck();
      for (const adapter of adapters) {
        // Owners must not count on one that cannot post: without its platform the lease runs out.
        if (!adapter.health().connected) continue;
        const about = {
          gatewayId,
          platform: adapter.platform,
          issuedAt: store.clock.now(),
          gate: config.gate ?? DEFAULT_GATE_CONFIG,
        };
        await store.leases.holdGateway(signLease(about, bindings, places.refusedFor, key, config.people), forMs);
      }
    };
    const lease = await keepLease({ hold, forMs: GATEWAY_LEASE_MS, what: 'gateway', clock, log });
    undo.add(async () => {
      await lease.stop();
      await store.leases.releaseGateway(gatewayId);
    });
    phase = 'ready';
    log.info(
      { gatewayId, listen: probes.url, control: control.path, bindings: bindings.length, keyId: key.keyId },
      'the gateway is ready',
    );
    return {
      url: probes.url,
      stop(graceMs) {
        phase = 'stopping';
        return undo.all(graceMs);
      },
    };
  } catch (error) {
    await undo.all(0);
    throw error;
  }
}

function needed({ redis, bindings }: Config) {
  if (redis === undefined) {
    throw new HandraiseError('The gateway needs a Redis, and none is named.', {
      code: 'configuration',
      hint: 'Set HANDRAISE_REDIS_URL or redis.url. Without Redis, `handraise run` needs no gateway at all.',
    });
  }
  return { redisUrl: redis.url, bindings };
}
