import type { Component } from '../../../../adapters/discord/components.ts';
import type { Modal } from '../../../../adapters/discord/form.ts';
import { messageBody } from '../../../../adapters/discord/web.ts';
import { createForms } from '../../../doubles/discord/forms.ts';
import { controlsOf, drawComponents, plainOf } from '../../../doubles/discord/render/components.ts';
import type { Effect } from '../../../doubles/discord/render/inline.ts';
import { drawMarkdown } from '../../../doubles/discord/render/markdown.ts';
import type { Issue } from '../../../doubles/discord/rules/check.ts';
import { messageBody as checkMessage } from '../../../doubles/discord/rules/message.ts';
import { modalBody } from '../../../doubles/discord/rules/modal.ts';
import { loadSpec } from '../../../doubles/discord/rules/spec.ts';
import type { RenderedText, ScreenComponent, ScreenControl } from '../../../doubles/discord/types.ts';

export interface Drawn {
  /** What a person reads, without the controls. */
  readonly text: string;
  readonly components: readonly ScreenComponent[];
  readonly controls: readonly ScreenControl[];
  readonly texts: readonly RenderedText[];
  /** Mentions, links and commands that took effect. */
  readonly active: readonly Effect[];
}

/** Draws components as Discord would. Everybody and everything that is mentioned exists. */
export function drawn(components: readonly unknown[]): Drawn {
  const active: Effect[] = [];
  const texts: RenderedText[] = [];
  const found = drawComponents(asSent(components) as unknown[], {
    text(source) {
      const text = drawMarkdown(source, EVERYBODY, (one) => active.push(one));
      texts.push(text);
      return text;
    },
    forms: createForms(),
    surface: 'test',
    errors: {},
  });
  return { text: plainOf(found), components: found, controls: controlsOf(found), texts, active };
}

const spec = await loadSpec(true);

/** What Discord would say about a post of these components, by its rules and by its published description. */
export function complaintsAboutMessage(components: Component[], files: readonly string[]): readonly Issue[] {
  const body = asSent(messageBody({ components })) as Record<string, unknown>;
  const issues: Issue[] = [];
  checkMessage({ path: [], issues }, { body, v2: true, files });
  return [...issues, ...spec.check('create_message', body)];
}

export function complaintsAboutModal(modal: Modal): readonly Issue[] {
  const data = asSent(modal) as Record<string, unknown>;
  const issues: Issue[] = [];
  modalBody({ path: [], issues }, data);
  return [...issues, ...spec.check('callback_9', { type: 9, data })];
}

/** As it arrives: undefined members are gone. */
function asSent(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

const EVERYBODY = { user: (id: string) => id, role: (id: string) => id, channel: (id: string) => id, now: () => 0 };
