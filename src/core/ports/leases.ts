import type { CardRef } from '../request.ts';

/** What one gateway says about itself on one platform. */
export interface GatewayLease {
  /** The gateway's incarnation: unique per process start. */
  readonly gatewayId: string;
  readonly platform: CardRef['platform'];
  /** What owners need to know of its configuration, signed; the store does not look into it. */
  readonly body: string;
}

/**
 * Who is alive, by the store's clock. A lease that is not renewed in time is lost: gateways then end what a lost owner
 * left (`RequestStore.sweep`), and owners no longer count on a lost gateway.
 */
export interface Leases {
  /** Takes or renews the lease of an owner. One that comes back in time keeps its requests. */
  holdOwner(ownerId: string, forMs: number): Promise<void>;
  /** Gives it back at once: the next sweep ends what is left. */
  releaseOwner(ownerId: string): Promise<void>;
  holdGateway(lease: GatewayLease, forMs: number): Promise<void>;
  releaseGateway(gatewayId: string): Promise<void>;
  /** Every lease that is not lost, by gateway, then platform. */
  liveGateways(): Promise<readonly GatewayLease[]>;
}
