import { type APIApplicationCommand, type APIGuild, type APIRole, ApplicationFlags, Routes } from 'discord.js';
import type { Actor } from '../../src/core/actor.ts';
import type { Clock } from '../../src/core/clock.ts';
import { HandraiseError } from '../../src/core/errors.ts';
import type { Outcome } from '../../src/core/outcomes.ts';
import type { Logger } from '../../src/core/ports/logger.ts';
import type { Place } from '../../src/core/ports/surface-adapter.ts';
import type {
  MemberCount,
  Obstacle,
  SurfaceAccount,
  SurfaceExaminer,
  TriedPlace,
} from '../../src/core/ports/surface-examiner.ts';
import type { CardRef } from '../../src/core/request.ts';
import { isPending, PENDING } from './commands.ts';
import { type CheckedDiscordConfig, checkDiscordConfig, type DiscordConfig } from './config.ts';
import { GatewayConnection } from './connection.ts';
import { CODES, hasCode } from './errors.ts';
import { IDENTIFY_EVERY_MS } from './identify-budget.ts';
import { actorOf } from './identity.ts';
import { Messages } from './messages.ts';
import type { Interaction } from './payload.ts';
import { inviteLink } from './permissions.ts';
import { DiscordWeb } from './web.ts';

export interface ExaminerDependencies {
  readonly clock: Clock;
  readonly log: Logger;
  /** Tells one test message from another. */
  readonly newId: () => string;
}

/** Below this many connects left today somebody should look what uses them up. */
const FEW_CONNECTS = 100;

/** Asks Discord what `doctor` wants to know. Throws `configuration` for what cannot be a token. */
export function createDiscordExaminer(config: DiscordConfig, deps: ExaminerDependencies): SurfaceExaminer {
  return new DiscordExaminer(checkDiscordConfig(config), deps);
}

class DiscordExaminer implements SurfaceExaminer {
  readonly platform = 'discord';
  readonly #config: CheckedDiscordConfig;
  readonly #deps: ExaminerDependencies;
  readonly #web: DiscordWeb;
  #messages: Messages | undefined;

  constructor(config: CheckedDiscordConfig, deps: ExaminerDependencies) {
    this.#config = config;
    this.#deps = deps;
    this.#web = new DiscordWeb(config, deps.clock);
  }

  async identify(): Promise<SurfaceAccount> {
    const { clock, log } = this.#deps;
    const bot = await this.#web.call<{ id: string; username: string }>('get', Routes.user(), 'who it is');
    this.#messages = new Messages({ web: this.#web, clock, log, botId: bot.id });
    const application = await this.#web.call<Application>('get', Routes.currentApplication(), 'its application');
    return {
      workspace: `the bot ${bot.username}, application ${application.id}`,
      missing: { always: [], sometimes: [], forInbox: [] },
      obstacles: [...obstaclesOf(application), ...(await this.#connects()), ...(await this.#command(application.id))],
      invite: inviteLink(application.id),
    };
  }

  /** Interactions that come meanwhile reach every other connection of the bot as well: none of them is acknowledged here. */
  async greet(): Promise<undefined> {
    const { clock, log } = this.#deps;
    const { botToken: token, connectsLeftToOthers } = this.#config;
    const common = { web: this.#web, token, connectsLeftToOthers, clock, log };
    const connection = new GatewayConnection({
      ...common,
      identifyEveryMs: IDENTIFY_EVERY_MS,
      onEvent: () => undefined,
    });
    await connection.start();
    await connection.stop();
    return undefined;
  }

  async tryPlace(place: Place): Promise<TriedPlace> {
    const messages = this.#ready();
    await messages.checkPlace(place);
    const posted = await messages.postTest(place.channel, this.#deps.newId());
    try {
      await messages.delete(place.channel, posted);
      return { removed: true };
    } catch (error) {
      this.#deps.log.warn({ channel: place.channel, reason: String(error) }, 'a test message could not be deleted');
      return { removed: false };
    }
  }

  async standingOf(userId: string, { channel }: Place): Promise<Pick<Actor, 'name' | 'standing'>> {
    const guildId = await this.#ready().guildOf(channel);
    const route = Routes.guildMember(guildId, userId);
    try {
      const member = await this.#web.call<NonNullable<Interaction['member']>>('get', route, 'a member');
      const { name, standing } = actorOf({ guild_id: guildId, member });
      return { name, standing };
    } catch (error) {
      if (hasCode(error, CODES.unknownMember)) return { name: userId, standing: 'stranger' };
      if (hasCode(error, CODES.unknownUser)) return { name: userId, standing: 'unverified' };
      throw error;
    }
  }

  async roleNamed(roleId: string, { channel }: Place): Promise<string | undefined> {
    const guildId = await this.#ready().guildOf(channel);
    const roles = await this.#web.call<readonly APIRole[]>('get', Routes.guildRoles(guildId), 'roles');
    return roles.find(({ id }) => id === roleId)?.name;
  }

  /** Discord lists members only to bots with a privileged intent, and counts other bots among them. */
  async countMembers({ channel }: Place): Promise<MemberCount> {
    const guildId = await this.#ready().guildOf(channel);
    const query = new URLSearchParams({ with_counts: 'true' });
    const guild = await this.#web.call<APIGuild>('get', Routes.guild(guildId), 'the server', { query });
    return { members: Math.max(0, (guild.approximate_member_count ?? 1) - 1), how: 'about' };
  }

  remove(ref: CardRef): Promise<void> {
    return this.#ready().remove(ref);
  }

  findCard(place: Place, thread: string | undefined, requestId: string): Promise<CardRef | undefined> {
    return this.#ready().findCard(place, thread, requestId);
  }

  retire(ref: CardRef, outcome: Outcome): Promise<void> {
    return this.#ready().retire(ref, outcome);
  }

  async #connects(): Promise<Obstacle[]> {
    const told = await this.#web.call<{ session_start_limit: { remaining: number; reset_after: number } }>(
      'get',
      Routes.gatewayBot(),
      'the address of its gateway',
    );
    const { remaining, reset_after: resetAfterMs } = told.session_start_limit;
    if (remaining >= FEW_CONNECTS) return [];
    return [
      {
        level: remaining === 0 ? 'fail' : 'warn',
        name: 'connects',
        what: `Discord lets this bot connect only ${remaining} more times within ${Math.ceil(resetAfterMs / 3_600_000)} h.`,
        cure: 'Let many runs ask through `handraise gateway`, which stays connected (docs/deploy.md), and see what else uses the token.',
      },
    ];
  }

  async #command(applicationId: string): Promise<Obstacle[]> {
    const route = Routes.applicationCommands(applicationId);
    const known = await this.#web.call<readonly Partial<APIApplicationCommand>[]>('get', route, 'its commands');
    if (known.some(isPending)) return [];
    return [
      {
        level: 'warn',
        name: 'command',
        what: `Discord does not know the command /${PENDING.name} of this bot yet.`,
        cure: 'A run or gateway makes it known when it connects; if this stays, invite the bot again by the link below.',
      },
    ];
  }

  #ready(): Messages {
    if (this.#messages !== undefined) return this.#messages;
    throw new HandraiseError('Discord was examined before it said whose token it is', { code: 'surface' });
  }
}

interface Application {
  readonly id: string;
  readonly flags?: number;
  readonly bot_public?: boolean;
  readonly interactions_endpoint_url?: string | null;
}

function obstaclesOf({
  flags = 0,
  bot_public: isPublic,
  interactions_endpoint_url: endpoint,
}: Application): Obstacle[] {
  const found: Obstacle[] = [];
  if (endpoint != null && endpoint !== '') {
    found.push({
      level: 'fail',
      name: 'interactions',
      what: 'Discord sends the clicks of this application to a web address, so that none reaches handraise.',
      cure: 'Remove the "Interactions Endpoint URL" under "General Information" in the developer portal.',
    });
  }
  if (isPublic === true) {
    found.push({
      level: 'warn',
      name: 'public',
      what: 'Anybody can invite this bot to their own server.',
      cure: 'Switch "Public Bot" off, under "Bot" in the developer portal.',
    });
  }
  if ((flags & PRIVILEGED) !== 0) {
    found.push({
      level: 'warn',
      name: 'intents',
      what: 'The bot may be told of members, presences or what people write; handraise needs none of that.',
      cure: 'Switch the "Privileged Gateway Intents" off, under "Bot" in the developer portal.',
    });
  }
  return found;
}

const PRIVILEGED =
  ApplicationFlags.GatewayPresence |
  ApplicationFlags.GatewayPresenceLimited |
  ApplicationFlags.GatewayGuildMembers |
  ApplicationFlags.GatewayGuildMembersLimited |
  ApplicationFlags.GatewayMessageContent |
  ApplicationFlags.GatewayMessageContentLimited;
