import type { Screen, ScreenComponent, ScreenControl, ScreenMessage } from './types.ts';

/** A screen as text: for error messages, transcripts and reading a failing test. */
export function drawScreen(screen: Screen): string {
  const { channel } = screen;
  const place = channel.kind === 'text' ? `#${channel.name}` : `${channel.kind} "${channel.name}"`;
  const lines = [`${place}${channel.archived ? ' (archived)' : ''} as ${screen.user.name} sees it`];
  for (const message of screen.messages) lines.push(...drawMessage(message, '  '));
  if (screen.messages.length === 0) lines.push('  (no messages)');
  for (const modal of screen.modals) {
    lines.push(`  ┌ modal "${modal.title}"${modal.busy ? ' (busy)' : ''}`);
    lines.push(...modal.components.flatMap((one) => drawComponent(one, '  │ ')));
    if (modal.trouble) lines.push(`  │ ! Something went wrong. Try again. (${modal.trouble})`);
    lines.push('  └ [Cancel] [Submit]');
  }
  return lines.join('\n');
}

function drawMessage(message: ScreenMessage, margin: string): string[] {
  const marks = [
    message.command === undefined ? '' : `used /${message.command}`,
    message.ephemeral ? 'only you can see this' : '',
    message.edited ? 'edited' : '',
    message.pingsYou ? 'pings you' : '',
  ].filter(Boolean);
  const lines = [`${margin}${message.author.name} ${message.id}${marks.length > 0 ? ` (${marks.join(', ')})` : ''}`];
  const inner = `${margin}  `;
  if (message.thinking) lines.push(`${inner}… is thinking`);
  if (message.failed) lines.push(`${inner}! The application did not respond`);
  if (message.text.plain !== '') lines.push(...indent(message.text.plain, inner));
  for (const embed of message.embeds) {
    lines.push(...indent([embed.title?.plain, embed.description?.plain].filter(Boolean).join('\n'), `${inner}▌ `));
    for (const field of embed.fields) lines.push(...indent(`${field.name.plain}: ${field.value.plain}`, `${inner}▌ `));
  }
  lines.push(...message.components.flatMap((one) => drawComponent(one, inner)));
  for (const file of message.files) lines.push(`${inner}📎 ${file.name} (${file.size} bytes)`);
  if (message.thread) lines.push(`${inner}🧵 ${message.thread.name} (${message.thread.messages})`);
  for (const warning of message.warnings)
    lines.push(`${inner}⚠ ${warning.customId}: This interaction failed (${warning.reason})`);
  return lines;
}

function drawComponent(component: ScreenComponent, margin: string): string[] {
  switch (component.type) {
    case 'text':
      return indent(component.text.plain, margin);
    case 'section': {
      const { accessory } = component;
      const control = accessory.kind === 'image' ? [`${margin}🖼 ${accessory.alt}`] : drawControl(accessory, margin);
      return [...component.texts.flatMap((text) => indent(text.plain, margin)), ...control];
    }
    case 'container':
      return component.components.flatMap((one) => drawComponent(one, `${margin}▎ `));
    case 'row':
      return component.controls.flatMap((one) => drawControl(one, margin));
    case 'separator':
      return [component.divider ? `${margin}———` : margin];
    case 'gallery':
      return component.images.map((one) => `${margin}🖼 ${one.alt}`);
    case 'file':
      return [`${margin}📄 ${component.name}`];
    case 'label':
      return [
        `${margin}${component.label}${component.control.required ? ' *' : ''}:`,
        ...(component.description === undefined ? [] : indent(component.description, `${margin}  `)),
        ...drawControl(component.control, `${margin}  `),
        ...(component.error === undefined ? [] : [`${margin}  ! ${component.error}`]),
      ];
  }
}

function drawControl(control: ScreenControl, margin: string): string[] {
  const name = `${control.kind} ${control.customId}${control.disabled ? ' (disabled)' : ''}`;
  if (control.kind === 'button') return [`${margin}[${control.text}]  ← ${name}`];
  if (control.kind === 'text_input') return [`${margin}|${control.value ?? ''}|  ← ${name}`];
  return [
    `${margin}${control.text || 'choose'}  ← ${name}`,
    ...control.options.map((option) => `${margin}  (${option.selected ? 'x' : ' '}) ${option.text}`),
  ];
}

function indent(text: string, margin: string): string[] {
  return text.split('\n').map((line) => `${margin}${line}`);
}
