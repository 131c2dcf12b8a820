import { newRandomId } from '../../../src/core/ids.ts';
import { type Listener, startListener } from '../../../src/listener/listener.ts';
import { createFakeClock, type FakeClock } from '../../support/fake-clock.ts';
import { recordingLog } from '../../support/recording-log.ts';
import { createDesk, type Desk } from './desk.ts';
import { connectPeer, type Peer } from './peer.ts';

export interface Workbench extends AsyncDisposable {
  readonly listener: Listener;
  readonly desk: Desk;
  readonly clock: FakeClock;
  readonly log: ReturnType<typeof recordingLog>;
  connect(options?: { halfOpen?: boolean }): Promise<Peer>;
}

/** A real listener with the test as its operator and its clock. */
export async function openWorkbench(): Promise<Workbench> {
  const [desk, clock, log] = [createDesk(), createFakeClock(), recordingLog()];
  const listener = await startListener({ prompter: desk, clock, newId: newRandomId, log });
  const peers: Peer[] = [];
  return {
    listener,
    desk,
    clock,
    log,
    async connect(options) {
      const peer = await connectPeer(listener.socketPath, options);
      peers.push(peer);
      return peer;
    },
    async [Symbol.asyncDispose]() {
      for (const peer of peers) peer.socket.destroy();
      await listener.close();
    },
  };
}
