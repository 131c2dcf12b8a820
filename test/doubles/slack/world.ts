import type { Clock } from '../clock.ts';
import type { Events } from './events.ts';
import type { FaultScript } from './faults.ts';
import type { FileStore } from './files.ts';
import type { FormStore } from './forms.ts';
import type { Log } from './log.ts';
import type { MessageStore } from './messages.ts';
import type { Passes } from './passes.ts';
import type { Random } from './random.ts';
import type { Limiter } from './rate-limits.ts';
import type { ViewStore } from './views.ts';
import type { WarningStore } from './warnings.ts';
import type { WorkspaceStore } from './workspace.ts';

/** All state of one double. Every part is made in `double.ts` and handed what it needs. */
export interface World {
  readonly clock: Clock;
  readonly random: Random;
  readonly events: Events;
  readonly log: Log;
  readonly workspace: WorkspaceStore;
  readonly messages: MessageStore;
  readonly views: ViewStore;
  readonly forms: FormStore;
  readonly warnings: WarningStore;
  readonly files: FileStore;
  readonly passes: Passes;
  readonly limiter: Limiter;
  readonly faults: FaultScript;
  readonly scopes: ReadonlySet<string>;
  readonly tokens: { readonly bot: string; readonly app: string };
  readonly subscribe: readonly string[];
  /** Grows with every `change` event. */
  revision(): number;
  /** `127.0.0.1:PORT`, known once the server listens. */
  host(): string;
}
