import { createHash } from 'node:crypto';
import type { Clock } from '../clock.ts';
import { asList, asText, type Obj } from '../json.ts';
import { storedBlocks, storedText } from './block-kit/stored.ts';
import type { Events } from './events.ts';
import type { Random } from './random.ts';
import type { SlackEvents, UnackedReason } from './types.ts';

/** A modal or Home view of one user. */
export interface ViewRecord {
  readonly id: string;
  readonly user: string;
  readonly root: string;
  readonly previous: string | null;
  /** The view as Slack keeps it. */
  body: Obj;
  hash: string;
  errors: Readonly<Record<string, string>>;
  trouble?: UnackedReason;
  busy: boolean;
}

/** How deep modals may be stacked. */
const STACK_MAX = 3;

export interface ViewStore {
  stack(user: string): readonly ViewRecord[];
  home(user: string): ViewRecord | undefined;
  find(by: { readonly viewId?: string; readonly externalId?: string }): ViewRecord | undefined;
  /** Opens a modal; what was open before on this client is replaced. */
  open(user: string, view: Obj): ViewRecord;
  /** Undefined when three are open already. */
  push(user: string, view: Obj): ViewRecord | undefined;
  update(record: ViewRecord, view: Obj): void;
  publish(user: string, view: Obj): ViewRecord;
  /** Closes the topmost modal, or all. Returns those closed, topmost first. */
  close(user: string, how: 'one' | 'all'): readonly ViewRecord[];
  changed(record: ViewRecord): void;
}

export function createViews(clock: Clock, events: Events, random: Random): ViewStore {
  const stacks = new Map<string, ViewRecord[]>();
  const homes = new Map<string, ViewRecord>();
  const stack = (user: string) => stacks.get(user) ?? [];

  const stored = (view: Obj): Pick<ViewRecord, 'body' | 'hash'> => {
    const blocks = storedBlocks(asList(view['blocks']), () => random.id('', 5));
    const titles = Object.fromEntries(
      ['title', 'submit', 'close'].flatMap((key) => (view[key] ? [[key, storedText(view[key])]] : [])),
    );
    const digest = createHash('md5')
      .update(`${random.next()}${JSON.stringify(view)}`)
      .digest('hex')
      .slice(0, 8);
    return { body: { ...view, ...titles, blocks }, hash: `${Math.floor(clock.now() / 1000)}.${digest}` };
  };

  const announce = (record: ViewRecord, how: SlackEvents['view']['how']) => {
    events.emit('view', { user: record.user, viewId: record.id, how });
    events.emit('change', { user: record.user });
  };

  const create = (user: string, view: Obj, previous: ViewRecord | undefined): ViewRecord => {
    const id = random.id('V');
    return {
      id,
      user,
      root: previous?.root ?? id,
      previous: previous?.id ?? null,
      ...stored(view),
      errors: {},
      busy: false,
    };
  };

  return {
    stack,
    home: (user) => homes.get(user),
    find({ viewId, externalId }) {
      const everything = [...[...stacks.values()].flat(), ...homes.values()];
      return everything.find((one) =>
        viewId ? one.id === viewId : externalId && asText(one.body['external_id']) === externalId,
      );
    },
    open(user, view) {
      const record = create(user, view, undefined);
      stacks.set(user, [record]);
      announce(record, 'open');
      return record;
    },
    push(user, view) {
      const below = stack(user);
      if (below.length >= STACK_MAX) return undefined;
      const record = create(user, view, below.at(-1));
      stacks.set(user, [...below, record]);
      announce(record, 'push');
      return record;
    },
    update(record, view) {
      Object.assign(record, stored(view), { errors: {}, busy: false });
      delete record.trouble;
      announce(record, 'update');
    },
    publish(user, view) {
      const record = homes.get(user) ?? create(user, view, undefined);
      Object.assign(record, stored(view));
      homes.set(user, record);
      announce(record, 'publish');
      return record;
    },
    close(user, how) {
      const open = stack(user);
      const closed = how === 'all' ? open.toReversed() : open.slice(-1);
      stacks.set(user, how === 'all' ? [] : open.slice(0, -1));
      for (const record of closed) announce(record, 'close');
      return closed;
    },
    changed(record) {
      events.emit('change', { user: record.user });
    },
  };
}
