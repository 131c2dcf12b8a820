import { asObj, asText, isObj, type Obj } from '../../json.ts';
import { guildCreate } from '../payloads/guild.ts';
import { userPayload } from '../payloads/people.ts';
import type { World } from '../world.ts';
import { type Connection, write } from './connection.ts';
import type { Hub } from './hub.ts';
import { INTENTS, isKnown, privilegedOf } from './intents.ts';
import { Session } from './session.ts';

/** What Discord takes from a client: bytes a frame, frames a minute. */
const FRAME_BYTES_MAX = 4096;
const FRAMES_A_MINUTE = 120;
const MINUTE_MS = 60_000;
/** IDENTIFYs are counted in slices of five seconds. */
const IDENTIFY_SLICE_MS = 5000;

/** One frame of a client. */
export function receive(world: World, hub: Hub, connection: Connection, text: string): void {
  const refuse = (code: number, rule: string) => {
    world.log.violation('gateway', '', rule, `closed with ${code}`);
    connection.ws.close(code);
  };
  const now = performance.now();
  connection.received.push(now);
  while ((connection.received[0] ?? now) < now - MINUTE_MS) connection.received.shift();
  if (connection.received.length > FRAMES_A_MINUTE) {
    refuse(4008, 'too_many_frames');
    return;
  }
  if (Buffer.byteLength(text) > FRAME_BYTES_MAX) {
    refuse(4002, 'frame_too_large');
    return;
  }
  const frame = parse(text);
  if (!frame) {
    refuse(4002, 'no_json');
    return;
  }
  switch (frame['op']) {
    case 1:
      connection.heartbeatAt = now;
      if (connection.acking) write(connection, JSON.stringify({ op: 11, s: null, t: null, d: null }));
      return;
    case 2:
      if (connection.session) {
        refuse(4005, 'already_identified');
        return;
      }
      identify(world, hub, connection, asObj(frame['d']), refuse);
      break;
    case 6:
      if (connection.session) {
        refuse(4005, 'already_identified');
        return;
      }
      resume(world, hub, connection, asObj(frame['d']), refuse);
      break;
    case 3:
    case 4:
    case 8:
      if (!connection.session) refuse(4003, 'not_identified');
      return;
    default:
      refuse(4001, 'unknown_opcode');
  }
}

function parse(text: string): Obj | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObj(value) ? value : undefined;
  } catch {
    // No JSON is answered by closing.
    return undefined;
  }
}

type Refuse = (code: number, rule: string) => void;

/** Answers that a test has scripted, for IDENTIFY and RESUME alike. */
function scripted(world: World, connection: Connection): boolean {
  const close = world.faults.take('close');
  if (close) {
    connection.ws.close(close.code);
    return true;
  }
  const invalid = world.faults.take('invalid_session');
  if (!invalid) return false;
  invalidSession(connection, invalid.resumable);
  return true;
}

export function invalidSession(connection: Connection, resumable: boolean): void {
  write(connection, JSON.stringify({ op: 9, s: null, t: null, d: resumable }));
}

function identify(world: World, hub: Hub, connection: Connection, data: Obj, refuse: Refuse): void {
  if (scripted(world, connection)) return;
  if (!isOurs(world, data)) {
    connection.ws.close(4004);
    return;
  }
  const intents = data['intents'];
  if (typeof intents !== 'number' || !isKnown(intents)) {
    refuse(4013, 'invalid_intents');
    return;
  }
  if (privilegedOf(intents) & ~hub.privileged) {
    refuse(4014, 'disallowed_intents');
    return;
  }
  const { os, browser, device } = asObj(data['properties']);
  if ([os, browser, device].some((one) => typeof one !== 'string')) {
    refuse(4002, 'no_properties');
    return;
  }
  const now = world.clock.now();
  const recent = hub.identified.filter((at) => at > now - IDENTIFY_SLICE_MS).length;
  if (recent >= hub.options.maxConcurrency) {
    invalidSession(connection, false);
    return;
  }
  const { identifiesUsed, identifies } = hub.options;
  if (identifiesUsed + hub.identifiedToday(now) >= identifies) {
    // Discord resets the token of an app that identifies too often.
    world.token.broken = true;
    refuse(4004, 'identifies_used_up');
    return;
  }
  hub.identified.push(now);
  hub.counts.identifies += 1;
  if (world.faults.take('no_ready')) return;
  greet(world, hub, connection, intents, data['shard']);
}

function greet(world: World, hub: Hub, connection: Connection, intents: number, shard: unknown): void {
  const session = new Session(world.ids.next(), intents);
  connection.session = session;
  hub.sessions.set(session.id, session);
  const guilds = [...world.guilds.guilds.values()].filter((one) => one.members.has(world.bot.id));
  hub.send(session, 'READY', {
    v: 10,
    user: { ...userPayload(world.bot), verified: true, mfa_enabled: true, email: null, flags: 0 },
    guilds: guilds.map(({ id }) => ({ id, unavailable: true })),
    session_id: session.id,
    resume_gateway_url: hub.url(),
    session_type: 'normal',
    private_channels: [],
    relationships: [],
    geo_ordered_rtc_regions: [],
    auth: {},
    user_settings: {},
    presences: [],
    guild_join_requests: [],
    application: { id: world.applicationId, flags: 0, flags_new: '0' },
    ...(Array.isArray(shard) ? { shard } : {}),
  });
  connection.ready = true;
  world.events.emit('ready', { connection: connection.id, how: 'identify', replayed: 0 });
  if ((intents & INTENTS.guilds) === 0 || world.faults.take('no_guilds')) return;
  const tell = () => {
    for (const guild of guilds) {
      if (!guild.unavailable)
        hub.send(session, 'GUILD_CREATE', guildCreate(world, guild, (intents & INTENTS.members) !== 0));
    }
  };
  if (hub.options.guildDelayMs > 0) setTimeout(tell, hub.options.guildDelayMs).unref();
  else tell();
}

function resume(world: World, hub: Hub, connection: Connection, data: Obj, refuse: Refuse): void {
  if (scripted(world, connection)) return;
  if (!isOurs(world, data)) {
    connection.ws.close(4004);
    return;
  }
  const session = hub.sessions.get(asText(data['session_id']));
  const sequence = data['seq'];
  if (!session) {
    invalidSession(connection, false);
    return;
  }
  if (typeof sequence !== 'number' || sequence > session.sequence) {
    refuse(4007, 'invalid_seq');
    return;
  }
  const missed = session.since(sequence);
  if (!missed) {
    invalidSession(connection, false);
    return;
  }
  // The session moves: whoever held it before is cut off.
  for (const other of hub.connections) if (other.session === session) other.ws.terminate();
  connection.session = session;
  connection.ready = true;
  hub.counts.resumes += 1;
  for (const { frame, interactionId } of missed) {
    write(connection, frame);
    if (interactionId !== undefined) world.interactions.delivered(interactionId);
  }
  hub.send(session, 'RESUMED', { _trace: [] });
  world.events.emit('ready', { connection: connection.id, how: 'resume', replayed: missed.length });
}

function isOurs(world: World, data: Obj): boolean {
  return !world.token.broken && asText(data['token']) === world.token.value;
}
