import type { HomeView, KnownBlock, ModalView } from '@slack/types';
import { storedBlocks } from '../../../doubles/slack/block-kit/stored.ts';
import { checkMessageBlocks, checkView, type Verdict } from '../../../doubles/slack/block-kit/surfaces.ts';
import { createForms } from '../../../doubles/slack/forms.ts';
import { controlsOf, plainOf, renderBlocks } from '../../../doubles/slack/render/blocks.ts';
import type { Found } from '../../../doubles/slack/render/directory.ts';
import { createPen } from '../../../doubles/slack/render/text.ts';
import type { ScreenControl } from '../../../doubles/slack/types.ts';

export interface Drawn {
  /** What a person reads, a line each, without the buttons. */
  readonly text: string;
  readonly controls: readonly ScreenControl[];
  /** Mentions and links that took effect. */
  readonly active: readonly Found[];
}

/** Draws a message as Slack would. Everybody and everything that is mentioned exists. */
export function drawMessage(message: { readonly text: string; readonly blocks: readonly KnownBlock[] }): Drawn {
  const active: Found[] = [];
  const pen = createPen(EVERYBODY, (found) => active.push(found));
  pen.message(message.text, { autoLink: false, names: false });
  return { ...drawBlocks(message.blocks, pen), active };
}

export function drawView(view: ModalView | HomeView): Drawn {
  const active: Found[] = [];
  const pen = createPen(EVERYBODY, (found) => active.push(found));
  return { ...drawBlocks(view.blocks as KnownBlock[], pen), active };
}

export function legalMessage(message: { readonly blocks: readonly KnownBlock[] }): Verdict {
  return checkMessageBlocks(asSent(message.blocks));
}

export function legalView(view: ModalView | HomeView): Verdict {
  return checkView(asSent(view), view.type);
}

function drawBlocks(blocks: readonly KnownBlock[], pen: ReturnType<typeof createPen>): Omit<Drawn, 'active'> {
  let count = 0;
  const stored = storedBlocks(asSent(blocks) as unknown[], () => `b${count++}`);
  const drawn = renderBlocks(stored, pen, { forms: createForms(), surface: 'test' });
  return { text: plainOf(drawn), controls: controlsOf(drawn) };
}

/** As it arrives: undefined members are gone. */
function asSent(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

const EVERYBODY = {
  user: (id: string) => id,
  channel: (id: string) => id,
  group: (id: string) => id,
  channelNamed: (name: string) => name,
  userNamed: (name: string) => name,
};
