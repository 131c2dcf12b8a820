import type { Obj } from '../../json.ts';
import { eventCallback } from '../payloads/actor.ts';
import type { DeliverOptions, Interaction, InteractionResult } from '../types.ts';
import type { World } from '../world.ts';
import type { Delivery } from './delivery.ts';

/** When Slack tries again after the attempt before failed: nearly at once, after a minute, after five. */
const RETRY_AFTER_MS = [0, 60_000, 300_000];

/** An event, tried again on the double's clock until it is acknowledged. `settled` tells of the last attempt. */
export function deliverEvent(
  world: World,
  delivery: Delivery,
  event: Obj,
  options: DeliverOptions & { readonly eventId?: string } = {},
): Interaction {
  const payload = eventCallback(world, event, options.eventId ?? world.random.id('Ev'));
  const attempt = (n: number): Interaction => {
    const retry = n === 0 ? {} : { retryAttempt: n, retryReason: 'timeout' };
    return delivery.send({ envelope: 'events_api', payload }, n === 0 ? options : retry);
  };
  const first = attempt(0);
  const again = async (result: InteractionResult, n: number): Promise<InteractionResult> => {
    const wait = RETRY_AFTER_MS[n - 1];
    if (result.kind !== 'unacked' || wait === undefined) return result;
    await new Promise<void>((resolve) => {
      world.clock.after(wait, resolve);
    });
    return again(await attempt(n).settled, n + 1);
  };
  return { ...first, settled: first.settled.then((result) => again(result, 1)) };
}
