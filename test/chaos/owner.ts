import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { replyToAsk } from '../../src/bridge/ask-tool.ts';
import { createOwnerClient } from '../../src/bridge/client.ts';
import { Secret } from '../../src/config/secret.ts';
import { systemClock } from '../../src/core/clock.ts';
import { sentenceOf } from '../../src/core/errors.ts';
import { newRandomId } from '../../src/core/ids.ts';
import type { Logger } from '../../src/core/ports/logger.ts';
import { openSharedOwner, type SharedOwner } from '../../src/gateway/shared-owner.ts';
import { startListener } from '../../src/listener/listener.ts';
import { optionsOf, questionOf } from './history.ts';
import { openLines } from './lines.ts';

/** What one process start of an owner has to do; read from the file that is named as its argument. */
export interface OwnerTask {
  /** The process start's name. */
  readonly name: string;
  readonly redisUrl: string;
  /** Public keys of the gateways. */
  readonly verdictKeys: readonly string[];
  /** Parent of the sockets' directories. */
  readonly sockets: string;
  /** Where it notes what was asked and received. */
  readonly notes: string;
  readonly log: string;
  readonly leaseMs?: number;
  /** Sessions side by side, each with a workspace of its own (and so a channel) and the keys of its questions. */
  readonly lanes: readonly { readonly workspace: string; readonly keys: readonly string[] }[];
}

/** Questions a session has open at once: one is shown, the others wait in line. */
const OPEN_AT_ONCE = 2;

/** Pause after a question that could not be asked, so that an outage does not use up all of them. */
const AFTER_FAILURE_MS = 1_000;

const [path] = process.argv.slice(2);
if (path !== undefined) await play(JSON.parse(readFileSync(path, 'utf8')));

/**
 * An owner as `handraise run` is one, for several agents: way to people, listener, and on the other end of the socket
 * what the bridge consists of. Ends when every question has its reply.
 */
async function play(task: OwnerTask): Promise<void> {
  const notes = openLines(task.notes);
  const log = openLog(task.log);
  // Nothing else may keep it from ending, and nothing may end it before.
  const alive = setInterval(() => undefined, 60_000);
  await Promise.all(task.lanes.map((_, at) => playLane(task, at, notes, log)));
  clearInterval(alive);
  notes.close();
}

async function playLane(task: OwnerTask, at: number, notes: ReturnType<typeof openLines>, log: Logger): Promise<void> {
  const lane = task.lanes[at];
  if (lane === undefined || lane.keys.length === 0) return;
  const owner = await openPersistently(task, `${task.name}-${at}`, lane.workspace, log);
  const { prompter } = owner;
  const listener = await startListener({
    prompter,
    directory: task.sockets,
    clock: systemClock,
    newId: newRandomId,
    log,
  });
  const client = createOwnerClient({ socketPath: listener.socketPath, clock: systemClock });
  const left = [...lane.keys];
  const askOneAfterTheOther = async () => {
    for (let key = left.shift(); key !== undefined; key = left.shift()) {
      notes.write({ note: 'asked', key, owner: task.name, at: Date.now() });
      const answer = await client.put(
        { kind: 'ask', questions: [asked(key)], toolUseId: key },
        new AbortController().signal,
      );
      const reply = replyToAsk(answer.reply);
      notes.write({ note: 'received', key, owner: task.name, ...reply, at: Date.now() });
      answer.delivered();
      if (reply.isError) await sleep(AFTER_FAILURE_MS);
    }
  };
  await Promise.all(Array.from({ length: OPEN_AT_ONCE }, askOneAfterTheOther));
  client.close();
  await listener.close();
  await owner.stop();
}

/** Whoever starts agents tries again while gateways or Redis are away. */
async function openPersistently(
  task: OwnerTask,
  sessionId: string,
  workspace: string,
  log: Logger,
): Promise<SharedOwner> {
  for (;;) {
    try {
      const owner = await openSharedOwner({
        config: { bindings: [], slack: {}, trust: { verdictKeys: task.verdictKeys }, origins: new Map() },
        redisUrl: new Secret(task.redisUrl),
        session: { sessionId, agent: 'chaos', workspace, startedBy: 'chaos@here' },
        clock: systemClock,
        newId: newRandomId,
        log,
        ...(task.leaseMs === undefined ? {} : { leaseMs: task.leaseMs }),
      });
      if (owner !== undefined) return owner;
      log.warn({ workspace }, 'no binding yet');
    } catch (error) {
      log.warn({ workspace, error: sentenceOf(error) }, 'the owner could not be opened; trying again');
    }
    await sleep(500);
  }
}

function asked(key: string) {
  const options = optionsOf(key).map((label) => ({ label, description: `Go ${label}.` }));
  return { question: questionOf(key), header: 'Way', multiSelect: false, options };
}

function openLog(file: string): Logger {
  const lines = openLines(file);
  const at = (level: string) => (facts: object, message: string) =>
    lines.write({ level, at: Date.now(), message, ...facts });
  return { debug: () => undefined, info: () => undefined, warn: at('warn'), error: at('error') };
}
