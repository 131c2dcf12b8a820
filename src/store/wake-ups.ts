import { sentenceOf } from '../core/errors.ts';
import type { Logger } from '../core/ports/logger.ts';
import type { Unsubscribe } from '../core/ports/request-store.ts';

type Wake = (requestId: string) => void;

/** Listeners by topic. They are called in a microtask, when the change is complete, and never hurt whoever caused it. */
export interface WakeUps {
  add(topic: string, wake: Wake): Unsubscribe;
  call(topic: string, requestId: string): void;
}

export function createWakeUps(log: Logger): WakeUps {
  const topics = new Map<string, Set<{ wake: Wake }>>();
  return {
    add(topic, wake) {
      // Wrapped, so that one function subscribed twice is two subscriptions.
      const listener = { wake };
      const listeners = topics.get(topic) ?? new Set();
      topics.set(topic, listeners.add(listener));
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0 && topics.get(topic) === listeners) topics.delete(topic);
      };
    },
    call(topic, requestId) {
      if (!topics.has(topic)) return;
      queueMicrotask(() => {
        for (const { wake } of [...(topics.get(topic) ?? [])]) {
          try {
            wake(requestId);
          } catch (thrown) {
            // Somebody else's defect: the request has moved, and the other listeners must hear of it.
            log.error({ requestId, topic, error: sentenceOf(thrown) }, 'a listener of the store threw');
          }
        }
      });
    },
  };
}
