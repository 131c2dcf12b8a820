import type { Clock } from '../core/clock.ts';
import type { GatewayLease, Leases } from '../core/ports/leases.ts';

/** Leases of one process, where they only matter to what shares its store. */
export interface MemoryLeases extends Leases {
  /** Owners whose lease ran out or was given back. One that never had any is not among them. */
  lostOwners(): readonly string[];
  /** Nothing of this owner is left: it need not be looked at any more. */
  forgetOwner(ownerId: string): void;
}

export function createMemoryLeases(clock: Clock): MemoryLeases {
  const owners = new Map<string, number>();
  const gateways = new Map<string, { readonly lease: GatewayLease; readonly until: number }>();
  return {
    async holdOwner(ownerId, forMs) {
      owners.set(ownerId, clock.now() + forMs);
    },
    async releaseOwner(ownerId) {
      owners.set(ownerId, clock.now());
    },
    async holdGateway(lease, forMs) {
      gateways.set(`${lease.gatewayId} ${lease.platform}`, { lease, until: clock.now() + forMs });
    },
    async releaseGateway(gatewayId) {
      for (const [key, { lease }] of gateways) if (lease.gatewayId === gatewayId) gateways.delete(key);
    },
    async liveGateways() {
      const now = clock.now();
      for (const [key, { until }] of gateways) if (until <= now) gateways.delete(key);
      return [...gateways].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, { lease }]) => lease);
    },
    lostOwners: () => [...owners].filter(([, until]) => until <= clock.now()).map(([ownerId]) => ownerId),
    forgetOwner: (ownerId) => void owners.delete(ownerId),
  };
}
