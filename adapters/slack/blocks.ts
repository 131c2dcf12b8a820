import type {
  ActionsBlock,
  Button,
  ContextBlock,
  InputBlock,
  KnownBlock,
  MrkdwnElement,
  PlainTextElement,
  PlainTextOption,
  RichTextBlock,
  RichTextElement,
  RichTextList,
  RichTextPreformatted,
  RichTextQuote,
  RichTextSection,
  SectionBlock,
} from '@slack/types';
import { escaped } from './escape.ts';
import { SLACK } from './limits.ts';

export type { Button, KnownBlock, PlainTextOption, RichTextElement };

/** Inert: no markup, no shortcodes. The caller has made `text` visible and short enough. */
export function plain(text: string): PlainTextElement {
  return { type: 'plain_text', text: escaped(text), emoji: false };
}

/** Our own words only: the one place where markup (a local date) takes effect. */
export function ourMarkup(text: string): MrkdwnElement {
  return { type: 'mrkdwn', text, verbatim: true };
}

export function section(text: string, accessory?: Button): SectionBlock {
  return { type: 'section', text: plain(text), expand: true, ...(accessory === undefined ? {} : { accessory }) };
}

export function context(...elements: (PlainTextElement | MrkdwnElement)[]): ContextBlock {
  return { type: 'context', elements };
}

export function actions(...elements: Button[]): ActionsBlock {
  return { type: 'actions', elements };
}

export function button(text: string, actionId: string, value: string, style?: 'primary' | 'danger'): Button {
  return { type: 'button', text: plain(text), action_id: actionId, value, ...(style === undefined ? {} : { style }) };
}

/** The same button, which asks once more before it is pressed. Both texts are ours or inert already. */
export function confirmed(pressed: Button, title: string, text: string, yes: string): Button {
  const confirm = { title: plain(title), text: plain(text), confirm: plain(yes), deny: plain('No') };
  return { ...pressed, confirm: { ...confirm, style: 'danger' } };
}

/** A button that opens an address. Slack tells us of the click, too; it only has to be acknowledged. */
export function linkButton(text: string, actionId: string, url: string): Button {
  return { type: 'button', text: plain(text), action_id: actionId, url };
}

export function richText(...elements: RichTextBlock['elements']): RichTextBlock {
  return { type: 'rich_text', elements };
}

/** rich_text refuses an empty text element. */
export function words(text: string): RichTextElement[] {
  return text === '' ? [] : [{ type: 'text', text }];
}

export function bold(text: string): RichTextElement[] {
  return text === '' ? [] : [{ type: 'text', text, style: { bold: true } }];
}

export function icon(name: string): RichTextElement[] {
  return [{ type: 'emoji', name }];
}

/** A moment in the reader's own time zone. */
export function moment(at: number): RichTextElement[] {
  return [{ type: 'date', timestamp: Math.floor(at / 1000), format: LOCAL_TIME, fallback: utc(at) }];
}

/** The same for mrkdwn. */
export function localTime(at: number): string {
  return `<!date^${Math.floor(at / 1000)}^${LOCAL_TIME}|${utc(at)}>`;
}

const LOCAL_TIME = '{date_short_pretty} at {time}';

function utc(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

export function line(...elements: RichTextElement[][]): RichTextSection {
  return { type: 'rich_text_section', elements: elements.flat() };
}

export function quote(...elements: RichTextElement[][]): RichTextQuote {
  return { type: 'rich_text_quote', elements: elements.flat() };
}

export function source(text: string): RichTextPreformatted {
  return { type: 'rich_text_preformatted', elements: [{ type: 'text', text }] };
}

/** Inert, in the look of code: for what the gate found. */
export function code(text: string): RichTextElement[] {
  return text === '' ? [] : [{ type: 'text', text, style: { code: true } }];
}

export function list(style: 'bullet' | 'ordered', items: readonly RichTextSection[]): RichTextList {
  return { type: 'rich_text_list', style, elements: [...items] };
}

export function textInput(
  blockId: string,
  label: string,
  input: { actionId: string; multiline: boolean; optional: boolean },
): InputBlock {
  return {
    type: 'input',
    block_id: blockId,
    label: plain(label),
    optional: input.optional,
    element: {
      type: 'plain_text_input',
      action_id: input.actionId,
      multiline: input.multiline,
      max_length: SLACK.input,
    },
  };
}

/** All text in a payload, as Slack's limit on a message counts it: every string under a key `text`. */
export function textLength(value: unknown): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, member) => sum + textLength(member), 0);
  if (typeof value !== 'object' || value === null) return 0;
  return Object.entries(value).reduce(
    (sum, [key, member]) => sum + (key === 'text' && typeof member === 'string' ? member.length : textLength(member)),
    0,
  );
}
