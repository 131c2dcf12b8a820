import * as z from 'zod';
import { PLATFORMS } from '../../core/actor.ts';
import type { GatewayLease, Leases } from '../../core/ports/leases.ts';
import type { RedisConnection } from './connection.ts';
import type { Keys } from './keys.ts';

const names = z.array(z.string());
const platform = z.enum(PLATFORMS);

/** Leases by the server's clock. Renewing one twice does no harm, so that a lost reply needs no reading back. */
export class RedisLeases implements Leases {
  readonly #commands: RedisConnection;
  readonly #keys: Keys;

  constructor(commands: RedisConnection, keys: Keys) {
    this.#commands = commands;
    this.#keys = keys;
  }

  async holdOwner(ownerId: string, forMs: number): Promise<void> {
    await this.#commands.run((redis) => redis.holdOwner(this.#keys.owners, ownerId, forMs), { changes: false });
  }

  async releaseOwner(ownerId: string): Promise<void> {
    await this.holdOwner(ownerId, 0);
  }

  async holdGateway({ gatewayId, platform: on, body }: GatewayLease, forMs: number): Promise<void> {
    const { gateways, gatewayBodies } = this.#keys;
    await this.#commands.run((redis) => redis.holdGateway(gateways, gatewayBodies, `${gatewayId} ${on}`, forMs, body), {
      changes: false,
    });
  }

  async releaseGateway(gatewayId: string): Promise<void> {
    for (const lease of await this.liveGateways()) {
      if (lease.gatewayId === gatewayId) await this.holdGateway({ ...lease, body: '' }, 0);
    }
  }

  async liveGateways(): Promise<readonly GatewayLease[]> {
    const reply = await this.#commands.run((redis) => redis.liveGateways(), { changes: false });
    const flat = names.parse(reply);
    const leases = flat.flatMap((name, at) => {
      const [gatewayId = '', on = ''] = name.split(' ');
      return at % 2 === 1 ? [] : [{ gatewayId, platform: platform.parse(on), body: flat[at + 1] ?? '' }];
    });
    return leases.sort((a, b) => (`${a.gatewayId} ${a.platform}` < `${b.gatewayId} ${b.platform}` ? -1 : 1));
  }
}
