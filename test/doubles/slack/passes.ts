import type { Clock } from '../clock.ts';
import type { Random } from './random.ts';

/** Things that are handed out and may be used for a while: triggers, response URLs, connection tickets. */
export interface Passes {
  newTrigger(user: string, inModal: boolean): string;
  /** Uses a trigger up, or says why not. `peek` looks only. */
  useTrigger(id: string, how?: 'peek'): Trigger | TriggerError;
  newResponseUrl(grant: Omit<ResponseGrant, 'uses' | 'born'>): string;
  /** Counts one use of the URL path, or says why not. */
  useResponseUrl(path: string): ResponseGrant | 'expired_url' | 'used_url' | 'invalid_url';
  newTicket(): string;
  /** Whether the ticket was good; a second time it is not. */
  useTicket(ticket: string): boolean;
}

export interface Trigger {
  readonly user: string;
  readonly inModal: boolean;
}

export type TriggerError = 'invalid_trigger_id' | 'expired_trigger_id' | 'exchanged_trigger_id';

export interface ResponseGrant {
  readonly channel: string;
  readonly user: string;
  readonly messageTs: string;
  readonly born: number;
  uses: number;
}

const TRIGGER_MS = 3000;
const RESPONSE_URL_MS = 30 * 60_000;
const RESPONSE_URL_USES = 5;
const TICKET_MS = 60_000;

export function createPasses(clock: Clock, random: Random, teamId: string): Passes {
  const triggers = new Map<string, Trigger & { readonly born: number; used: boolean }>();
  const grants = new Map<string, ResponseGrant>();
  const tickets = new Map<string, number>();
  return {
    newTrigger(user, inModal) {
      const id = `${Math.floor(random.next() * 1e13)}.${Math.floor(random.next() * 1e12)}.${random.id('', 32).toLowerCase()}`;
      triggers.set(id, { user, inModal, born: clock.now(), used: false });
      return id;
    },
    useTrigger(id, how) {
      const trigger = triggers.get(id);
      if (!trigger) return 'invalid_trigger_id';
      if (trigger.used) return 'exchanged_trigger_id';
      if (clock.now() - trigger.born > TRIGGER_MS) return 'expired_trigger_id';
      if (how !== 'peek') trigger.used = true;
      return trigger;
    },
    newResponseUrl(grant) {
      const path = `/actions/${teamId}/${Math.floor(random.next() * 1e13)}/${random.id('', 24)}`;
      grants.set(path, { ...grant, uses: 0, born: clock.now() });
      return path;
    },
    useResponseUrl(path) {
      const grant = grants.get(path);
      if (!grant) return 'invalid_url';
      if (clock.now() - grant.born > RESPONSE_URL_MS) return 'expired_url';
      if (grant.uses >= RESPONSE_URL_USES) return 'used_url';
      grant.uses += 1;
      return grant;
    },
    newTicket() {
      const ticket = random.id('', 32).toLowerCase();
      tickets.set(ticket, clock.now());
      return ticket;
    },
    useTicket(ticket) {
      const born = tickets.get(ticket);
      tickets.delete(ticket);
      return born !== undefined && clock.now() - born <= TICKET_MS;
    },
  };
}
