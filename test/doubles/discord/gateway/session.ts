import { asObj, asText } from '../../json.ts';

/** One dispatch as it was numbered for a session. */
export interface Numbered {
  readonly sequence: number;
  readonly event: string;
  readonly frame: string;
  /** Of an INTERACTION_CREATE. */
  readonly interactionId?: string;
}

/** What RESUME brings back: the numbered dispatches of one IDENTIFY. */
export class Session {
  readonly id: string;
  readonly intents: number;
  #sequence = 0;
  #kept: Numbered[] = [];

  constructor(id: string, intents: number) {
    this.id = id;
    this.intents = intents;
  }

  get sequence(): number {
    return this.#sequence;
  }

  /** Numbers a dispatch and keeps it for a replay. */
  number(event: string, data: unknown): Numbered {
    this.#sequence += 1;
    const frame = JSON.stringify({ op: 0, s: this.#sequence, t: event, d: data });
    const interactionId = event === 'INTERACTION_CREATE' ? { interactionId: asText(asObj(data)['id']) } : {};
    const numbered = { sequence: this.#sequence, event, frame, ...interactionId };
    this.#kept.push(numbered);
    if (this.#kept.length > KEPT_MAX) this.#kept.shift();
    return numbered;
  }

  /** Whatever came after `sequence`; undefined when some of it is no longer kept. */
  since(sequence: number): readonly Numbered[] | undefined {
    const missed = this.#kept.filter((one) => one.sequence > sequence);
    return missed.length === this.#sequence - sequence ? missed : undefined;
  }
}

/** How many dispatches a session keeps. Not published. */
const KEPT_MAX = 5000;
