import type { Clock } from '../clock.ts';
import type { Events } from '../events.ts';
import type { CommandStore } from './commands.ts';
import type { FaultScript } from './faults.ts';
import type { FormStore } from './forms.ts';
import type { Hub } from './gateway/hub.ts';
import type { GuildStore } from './guilds.ts';
import type { InteractionStore } from './interactions.ts';
import type { Log } from './log.ts';
import type { MessageStore } from './messages.ts';
import type { ModalStore } from './modals.ts';
import type { Limiter } from './rate-limits.ts';
import type { Spec } from './rules/spec.ts';
import type { Snowflakes } from './snowflake.ts';
import type { DiscordEvents, Portal, UserRecord } from './types.ts';
import type { WarningStore } from './warnings.ts';

/** All state of one double. Every part is made in `double.ts` and handed what it needs. */
export interface World {
  readonly clock: Clock;
  readonly ids: Snowflakes;
  readonly events: Events<DiscordEvents>;
  readonly log: Log;
  readonly guilds: GuildStore;
  readonly messages: MessageStore;
  readonly interactions: InteractionStore;
  readonly modals: ModalStore;
  readonly forms: FormStore;
  readonly warnings: WarningStore;
  readonly commands: CommandStore;
  readonly limiter: Limiter;
  readonly faults: FaultScript;
  readonly spec: Spec;
  readonly bot: UserRecord;
  readonly applicationId: string;
  readonly portal: Portal;
  readonly token: { readonly value: string; broken: boolean };
  readonly hub: Hub;
  /** Grows with every `change` event. */
  revision(): number;
  /** `127.0.0.1:PORT` of REST, known once the server listens. */
  host(): string;
}
