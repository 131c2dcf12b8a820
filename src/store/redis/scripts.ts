import { readdirSync, readFileSync } from 'node:fs';
import type { ClientContext, Result } from 'ioredis';
import { HandraiseError } from '../../core/errors.ts';
import { OVERDUE_AFTER_MS, QUEUE_FACTOR } from '../../core/request.ts';
import { KEEP_ENDED_MS } from '../ended-records.ts';
import { CODES_IN_LUA } from './codes.ts';
import type { Keys } from './keys.ts';
import { LONGEST_WAIT_MS, SLACK_MS } from './lifetimes.ts';

declare module 'ioredis' {
  // The scripts of `scripts/`, each documented at its head. Replies are parsed before they are believed.
  interface RedisCommander<Context extends ClientContext = { type: 'default' }> {
    openRequest(...keysAndArguments: ScriptArguments): Result<unknown, Context>;
    voteRequest(...keysAndArguments: ScriptArguments): Result<unknown, Context>;
    claimRequest(...keysAndArguments: ScriptArguments): Result<unknown, Context>;
    confirmRequest(...keysAndArguments: ScriptArguments): Result<unknown, Context>;
    closeRequest(...keysAndArguments: ScriptArguments): Result<unknown, Context>;
    barRequest(...keysAndArguments: ScriptArguments): Result<unknown, Context>;
    readRequests(...keysAndArguments: ScriptArguments): Result<unknown, Context>;
    recordCard(...keysAndArguments: ScriptArguments): Result<unknown, Context>;
    recordFailure(...keysAndArguments: ScriptArguments): Result<unknown, Context>;
    refuseClick(...keysAndArguments: ScriptArguments): Result<unknown, Context>;
    settleCard(...keysAndArguments: ScriptArguments): Result<unknown, Context>;
    giveUpPost(...keysAndArguments: ScriptArguments): Result<unknown, Context>;
    takeTurn(...keysAndArguments: ScriptArguments): Result<unknown, Context>;
    recordThread(...keysAndArguments: ScriptArguments): Result<unknown, Context>;
    readDraft(...keysAndArguments: ScriptArguments): Result<unknown, Context>;
    writeDraft(...keysAndArguments: ScriptArguments): Result<unknown, Context>;
    countWork(...keysAndArguments: ScriptArguments): Result<unknown, Context>;
    restRequest(...keysAndArguments: ScriptArguments): Result<unknown, Context>;
    sweep(...keysAndArguments: ScriptArguments): Result<unknown, Context>;
    holdOwner(...keysAndArguments: ScriptArguments): Result<unknown, Context>;
    holdGateway(...keysAndArguments: ScriptArguments): Result<unknown, Context>;
    holdSealer(...keysAndArguments: ScriptArguments): Result<unknown, Context>;
    sealAudit(...keysAndArguments: ScriptArguments): Result<unknown, Context>;
    checkCommands(...keysAndArguments: ScriptArguments): Result<unknown, Context>;
    recordGrant(...keysAndArguments: ScriptArguments): Result<unknown, Context>;
    useGrant(...keysAndArguments: ScriptArguments): Result<unknown, Context>;
    endGrant(...keysAndArguments: ScriptArguments): Result<unknown, Context>;
    revokeGrant(...keysAndArguments: ScriptArguments): Result<unknown, Context>;
    activeGrants(...keysAndArguments: ScriptArguments): Result<unknown, Context>;
    readGrant(...keysAndArguments: ScriptArguments): Result<unknown, Context>;
    liftRefusal(...keysAndArguments: ScriptArguments): Result<unknown, Context>;
    sessionSalt(...keysAndArguments: ScriptArguments): Result<unknown, Context>;
    liveGateways(...keysAndArguments: ScriptArguments): Result<unknown, Context>;
  }
}

type ScriptArguments = (string | number)[];

export interface Script {
  readonly lua: string;
  readonly numberOfKeys: number;
}

/** Command name → script, as ioredis' option `scripts` takes it. */
export type Scripts = Readonly<Record<string, Script>>;

/** An index lives this long after it was last touched: longer than any request in it. */
const INDEX_MS = (QUEUE_FACTOR + 1) * LONGEST_WAIT_MS + KEEP_ENDED_MS + 2 * SLACK_MS;

const LIMITS = [
  `local INDEX_MS, OVERDUE_AFTER_MS = ${INDEX_MS}, ${OVERDUE_AFTER_MS}`,
  `local QUEUE_FACTOR = ${QUEUE_FACTOR}`,
].join('\n');

const FOLDER = new URL('./scripts/', import.meta.url);

/**
 * Reads every `name-N.lua` (N = its number of KEYS) and puts in what its `@include` names: files of `includes/`, or the
 * generated tables `keys`, `codes` and `limits`. `instead` replaces includes by name; tests give scripts another clock with it.
 */
export function loadScripts(keys: Keys, instead: Readonly<Record<string, string>> = {}): Scripts {
  const given: Readonly<Record<string, string>> = { keys: keys.lua, codes: CODES_IN_LUA, limits: LIMITS, ...instead };
  const include = (name: string) => given[name] ?? readFileSync(new URL(`includes/${name}.lua`, FOLDER), 'utf8');
  const scripts: Record<string, Script> = {};
  for (const file of readdirSync(FOLDER)) {
    const [, name, count] = /^([a-z-]+)-(\d)\.lua$/.exec(file) ?? [];
    if (name === undefined) continue;
    const lua = readFileSync(new URL(file, FOLDER), 'utf8').replace(/^-- @include (.+)$/gm, (_, names: string) =>
      names.trim().split(/\s+/).map(include).join('\n'),
    );
    scripts[name.replace(/-(.)/g, (__, letter: string) => letter.toUpperCase())] = { lua, numberOfKeys: Number(count) };
  }
  if (Object.keys(scripts).length === 0) {
    throw new HandraiseError(`There are no Redis scripts in ${FOLDER.pathname}.`, {
      code: 'store',
      hint: 'The installation is incomplete: run `npm run build`, or install handraise again.',
    });
  }
  return scripts;
}
