import type { ApiCall, ApiFault, FaultHandle, Faults, SocketFault } from './types.ts';

export interface FaultScript extends Faults {
  /** The faults that strike this call, in order: delays first, then at most one of another kind. */
  strike(call: ApiCall): readonly ApiFault[];
  /** Uses up one socket fault of this kind. */
  take<K extends SocketFault['kind']>(
    kind: K,
    match?: (fault: Extract<SocketFault, { kind: K }>) => boolean,
  ): Extract<SocketFault, { kind: K }> | undefined;
}

interface Armed<F> {
  readonly method: string;
  readonly fault: F;
  skip: number;
  left: number;
  hits: number;
}

export function createFaults(): FaultScript {
  const api: Armed<ApiFault>[] = [];
  const socket: Armed<SocketFault>[] = [];

  const arm = <F extends ApiFault | SocketFault>(list: Armed<F>[], method: string, fault: F): FaultHandle => {
    const skip = 'skip' in fault ? (fault.skip ?? 0) : 0;
    const armed: Armed<F> = { method, fault, skip, left: fault.times ?? 1, hits: 0 };
    list.push(armed);
    return {
      get hits() {
        return armed.hits;
      },
      remove() {
        armed.left = 0;
      },
    };
  };

  return {
    api: (method, fault) => arm(api, method, fault),
    socket: (fault) => arm(socket, '*', fault),
    clear() {
      api.length = 0;
      socket.length = 0;
    },
    strike(call) {
      const struck: ApiFault[] = [];
      for (const armed of api) {
        if (armed.left <= 0 || !names(armed.method, call.method) || armed.fault.match?.(call) === false) continue;
        if (armed.skip > 0) {
          armed.skip -= 1;
          continue;
        }
        armed.left -= 1;
        armed.hits += 1;
        struck.push(armed.fault);
        if (armed.fault.kind !== 'delay') break;
      }
      return struck;
    },
    take(kind, match = () => true) {
      type Wanted = Extract<SocketFault, { kind: typeof kind }>;
      const armed = socket.find((one) => one.left > 0 && one.fault.kind === kind && match(one.fault as Wanted));
      if (!armed) return undefined;
      armed.left -= 1;
      armed.hits += 1;
      return armed.fault as Wanted;
    },
  };
}

function names(pattern: string, method: string): boolean {
  if (pattern === '*') return true;
  return pattern.endsWith('*') ? method.startsWith(pattern.slice(0, -1)) : pattern === method;
}
