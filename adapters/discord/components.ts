import {
  type APIActionRowComponent,
  type APIButtonComponent,
  type APIComponentInContainer,
  type APIComponentInMessageActionRow,
  type APIContainerComponent,
  type APIFileComponent,
  type APILabelComponent,
  type APIMessageTopLevelComponent,
  type APISectionComponent,
  type APISelectMenuOption,
  type APISeparatorComponent,
  type APIStringSelectComponent,
  type APITextDisplayComponent,
  ButtonStyle,
  ComponentType,
  TextInputStyle,
} from 'discord.js';
import { DISCORD } from './limits.ts';

export type Component = APIMessageTopLevelComponent;
export type Inner = APIComponentInContainer;

/** Markdown that is ours, with foreign text in it made inert. */
export function text(content: string): APITextDisplayComponent {
  return { type: ComponentType.TextDisplay, content };
}

export function container(components: Inner[], accent?: number): APIContainerComponent {
  return { type: ComponentType.Container, components, ...(accent === undefined ? {} : { accent_color: accent }) };
}

/** Text with a button beside it. */
export function section(content: string, accessory: APIButtonComponent): APISectionComponent {
  return { type: ComponentType.Section, components: [text(content)], accessory };
}

export function separator(): APISeparatorComponent {
  return { type: ComponentType.Separator };
}

export function file(name: string): APIFileComponent {
  return { type: ComponentType.File, file: { url: `attachment://${name}` } };
}

export function row<T extends APIComponentInMessageActionRow>(...components: T[]): APIActionRowComponent<T> {
  return { type: ComponentType.ActionRow, components };
}

export function button(
  label: string,
  customId: string,
  look: { primary?: boolean; danger?: boolean; disabled?: boolean } = {},
): APIButtonComponent {
  return {
    type: ComponentType.Button,
    style: styleOf(look),
    label,
    custom_id: customId,
    ...(look.disabled === true ? { disabled: true } : {}),
  };
}

function styleOf({ primary, danger }: { primary?: boolean; danger?: boolean }) {
  if (danger === true) return ButtonStyle.Danger;
  return primary === true ? ButtonStyle.Primary : ButtonStyle.Secondary;
}

export function link(label: string, url: string): APIButtonComponent {
  return { type: ComponentType.Button, style: ButtonStyle.Link, label, url };
}

export function select(
  customId: string,
  placeholder: string,
  options: APISelectMenuOption[],
  bounds: { min: number; max: number },
): APIStringSelectComponent {
  return {
    type: ComponentType.StringSelect,
    custom_id: customId,
    placeholder,
    options,
    min_values: bounds.min,
    max_values: bounds.max,
  };
}

/** A field of a modal. The texts are plain: no markdown there. */
export function label(name: string, description: string, component: APILabelComponent['component']): APILabelComponent {
  return {
    type: ComponentType.Label,
    label: name,
    ...(description === '' ? {} : { description }),
    component,
  };
}

export function textInput(customId: string, required: boolean, value?: string): APILabelComponent['component'] {
  return {
    type: ComponentType.TextInput,
    custom_id: customId,
    style: TextInputStyle.Paragraph,
    required,
    max_length: DISCORD.input,
    ...(value === undefined ? {} : { value }),
  };
}

/** A point of time on everybody's own clock: `t` the hour, `R` how far away. */
export function moment(at: number, style: 't' | 'R' = 't'): string {
  return `<t:${Math.floor(at / 1_000)}:${style}>`;
}

/** What Discord counts: every component, nested ones too. */
export function countOf(component: unknown): number {
  let count = 0;
  walk(component, () => {
    count += 1;
  });
  return count;
}

/** UTF-16 units of all text displays together. */
export function textLengthOf(components: unknown): number {
  let length = 0;
  walk(components, (one) => {
    if (one['type'] === ComponentType.TextDisplay) length += String(one['content']).length;
  });
  return length;
}

export function bytesOf(components: unknown): number {
  return new TextEncoder().encode(JSON.stringify(components)).length;
}

function walk(value: unknown, visit: (component: Record<string, unknown>) => void): void {
  if (Array.isArray(value)) for (const one of value) walk(one, visit);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
  const component = value as Record<string, unknown>;
  if (typeof component['type'] === 'number') visit(component);
  walk(component['components'], visit);
  walk(component['accessory'], visit);
  walk(component['component'], visit);
}
