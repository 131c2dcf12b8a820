import type { Clock } from '../../core/clock.ts';
import { HandraiseError } from '../../core/errors.ts';
import type { NewId } from '../../core/ids.ts';
import type { GatewayLease } from '../../core/ports/leases.ts';
import type { Logger } from '../../core/ports/logger.ts';
import { type Ability, gatewaysNeeds, ownersExcesses, ownersNeeds } from './acl-checks.ts';
import { parseRedisUrl, type RedisAddress } from './address.ts';
import { RedisConnection } from './connection.ts';
import { createKeys, DEFAULT_PREFIX, type Keys } from './keys.ts';
import { RedisLeases } from './leases.ts';
import { loadScripts } from './scripts.ts';
import { checkServer, type ServerFacts } from './server.ts';
import { WakeChannels } from './wake-channels.ts';

/** What the connection's user may do, in words that follow "may" and "may not". */
export interface Rights {
  /** Of what the role takes, that which is not allowed. */
  readonly lacking: readonly string[];
  /** Of what an owner must not do, that which is allowed. Empty for a gateway, which may do all of it. */
  readonly excessive: readonly string[];
}

/** Milliseconds. */
export interface RoundTrips {
  readonly median: number;
  readonly worst: number;
}

interface Parts {
  readonly address: RedisAddress;
  readonly keys: Keys;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Asks a Redis what `doctor` wants to know. Nothing is written; every question ends within 2.5 s. */
export class RedisExamination {
  readonly server: ServerFacts;
  readonly #commands: RedisConnection;
  readonly #parts: Parts;

  private constructor(commands: RedisConnection, server: ServerFacts, parts: Parts) {
    this.#commands = commands;
    this.server = server;
    this.#parts = parts;
  }

  /** Throws what `openRedisStore` throws. */
  static async open({
    url,
    prefix = DEFAULT_PREFIX,
    clock,
    log,
  }: {
    readonly url: string;
    readonly prefix?: string;
    readonly clock: Clock;
    readonly log: Logger;
  }): Promise<RedisExamination> {
    const address = parseRedisUrl(url);
    const keys = createKeys(prefix);
    const commands = new RedisConnection({ address, name: 'doctor', scripts: loadScripts(keys), clock, log });
    try {
      return new RedisExamination(commands, await checkServer(commands, address), { address, keys, clock, log });
    } catch (thrown) {
      commands.close();
      throw thrown;
    }
  }

  /** Of a command that does next to nothing. */
  async roundTrips(times = 20): Promise<RoundTrips> {
    const took: number[] = [];
    for (let n = 0; n < times; n += 1) {
      const begun = performance.now();
      await this.#commands.run((redis) => redis.ping(), { changes: false });
      took.push(performance.now() - begun);
    }
    took.sort((a, b) => a - b);
    return { median: took[Math.floor(took.length / 2)] ?? 0, worst: took.at(-1) ?? 0 };
  }

  /** Milliseconds from publishing to an owner's channel until it is heard there. Throws when it is not within 2 s. */
  async wakeUp(newId: NewId): Promise<number> {
    const { address, keys, clock, log } = this.#parts;
    const channel = keys.ownerChannel(`doctor-${newId()}`);
    const channels = new WakeChannels({ address, clock, log });
    let cancel: () => void = () => undefined;
    try {
      let hear: (at: number) => void = () => undefined;
      const heard = new Promise<number>((resolve, reject) => {
        hear = resolve;
        const late = `What was published was not heard within ${HEARD_WITHIN_MS / 1_000} s`;
        cancel = clock.after(HEARD_WITHIN_MS, () => reject(new HandraiseError(late, { code: 'store' })));
      });
      // Subscribing may fail first, and then nobody waits for it.
      heard.catch(() => undefined);
      const nothingMissed = async () => [];
      await channels.add(channel, () => hear(performance.now()), nothingMissed);
      const published = performance.now();
      await this.#commands.run((redis) => redis.publish(channel, 'doctor'));
      return (await heard) - published;
    } finally {
      cancel();
      channels.close();
    }
  }

  /** By the server's own word on each command: none is run. Throws `NOPERM` when the user may not even run scripts. */
  async rights(role: 'owner' | 'gateway'): Promise<Rights> {
    const { keys } = this.#parts;
    const needs = role === 'owner' ? ownersNeeds(keys) : gatewaysNeeds(keys);
    const excesses = role === 'owner' ? ownersExcesses(keys) : [];
    const may = await this.#may([...needs, ...excesses].flatMap(({ commands }) => commands));
    const all = ({ commands }: Ability) => commands.every((command) => may.get(command) === true);
    const any = ({ commands }: Ability) => commands.some((command) => may.get(command) === true);
    return {
      lacking: [...new Set(needs.filter((need) => !all(need)).map(({ what }) => what))],
      excessive: excesses.filter(any).map(({ what }) => what),
    };
  }

  /** By the server's clock, in ms since the epoch. */
  async now(): Promise<number> {
    const [seconds, micros] = await this.#commands.run((redis) => redis.time(), { changes: false });
    return Number(seconds) * 1_000 + Math.floor(Number(micros) / 1_000);
  }

  liveGateways(): Promise<readonly GatewayLease[]> {
    return new RedisLeases(this.#commands, this.#parts.keys).liveGateways();
  }

  close(): void {
    this.#commands.close();
  }

  async #may(commands: Ability['commands']): Promise<ReadonlyMap<Ability['commands'][number], boolean>> {
    const asked = commands.map((command) => JSON.stringify(command));
    const told = await this.#commands.run((redis) => redis.checkCommands(...asked), { changes: false });
    const answers = Array.isArray(told) ? told : [];
    if (answers.length !== commands.length) {
      throw new HandraiseError('Redis did not say what its user may do', { code: 'store' });
    }
    return new Map(commands.map((command, at) => [command, answers[at] === 1]));
  }
}

const HEARD_WITHIN_MS = 2_000;
