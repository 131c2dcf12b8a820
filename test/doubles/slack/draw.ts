import type { Screen, ScreenBlock, ScreenControl, ScreenMessage } from './types.ts';

/** A screen as text: for error messages, transcripts and reading a failing test. */
export function drawScreen(screen: Screen): string {
  const lines = [`#${screen.channel.name} as ${screen.user.name} sees it`];
  for (const message of screen.messages) lines.push(...drawMessage(message, '  '));
  if (screen.messages.length === 0) lines.push('  (no messages)');
  for (const modal of screen.modals) {
    lines.push(`  ┌ modal "${modal.title}"${modal.busy ? ' (busy)' : ''}`);
    lines.push(...modal.blocks.flatMap((block) => drawBlock(block, '  │ ')));
    if (modal.trouble) lines.push(`  │ ! We had some trouble connecting (${modal.trouble})`);
    lines.push(`  └ [${modal.close}]${modal.submit === undefined ? '' : ` [${modal.submit}]`}`);
  }
  return lines.join('\n');
}

function drawMessage(message: ScreenMessage, margin: string): string[] {
  const marks = [
    message.ephemeral ? 'only visible to you' : '',
    message.edited ? 'edited' : '',
    message.broadcast ? 'also sent to the channel' : '',
  ].filter(Boolean);
  const lines = [`${margin}${message.author.name} ${message.ts}${marks.length > 0 ? ` (${marks.join(', ')})` : ''}`];
  const inner = `${margin}  `;
  if (message.blocks.length > 0) lines.push(...message.blocks.flatMap((block) => drawBlock(block, inner)));
  else lines.push(...indent(message.text.plain, inner));
  for (const file of message.files) lines.push(`${inner}📎 ${file.name} (${file.size} bytes)`);
  for (const warning of message.warnings) lines.push(`${inner}⚠ ${warning.actionId}: ${warning.reason}`);
  for (const reply of message.replies) lines.push(...drawMessage(reply, `${margin}    `));
  return lines;
}

function drawBlock(block: ScreenBlock, margin: string): string[] {
  switch (block.type) {
    case 'header':
      return indent(`## ${block.text.plain}`, margin);
    case 'section': {
      const texts = [block.text, ...block.fields].flatMap((text) => (text ? indent(text.plain, margin) : []));
      const { accessory } = block;
      const control = accessory && accessory.kind !== 'image' ? drawControl(accessory, margin) : [];
      return [...texts, ...control];
    }
    case 'context':
      return indent(block.elements.map((one) => (one.kind === 'image' ? one.alt : one.plain)).join(' · '), margin);
    case 'actions':
      return block.controls.flatMap((one) => drawControl(one, margin));
    case 'input':
      return [
        ...indent(`${block.label.plain}${block.optional ? ' (optional)' : ''}:`, margin),
        ...drawControl(block.control, `${margin}  `),
        ...(block.error === undefined ? [] : [`${margin}  ! ${block.error}`]),
      ];
    case 'rich_text':
    case 'markdown':
      return indent(block.text.plain, margin);
    case 'table':
      return block.rows.map((row) => `${margin}${row.map((cell) => cell.plain).join(' | ')}`);
    case 'image':
      return [`${margin}🖼 ${block.image.alt}`];
    case 'divider':
      return [`${margin}———`];
  }
}

function drawControl(control: ScreenControl, margin: string): string[] {
  const name = `${control.kind} ${control.blockId}/${control.actionId}`;
  if (control.kind === 'button') return [`${margin}[${control.text}]  ← ${name}`];
  if (control.kind === 'plain_text_input') return [`${margin}|${control.value ?? ''}|  ← ${name}`];
  return [
    `${margin}${control.text || 'choose'}  ← ${name}`,
    ...control.options.map((option) => `${margin}  (${option.selected ? 'x' : ' '}) ${option.text}`),
  ];
}

function indent(text: string, margin: string): string[] {
  return text.split('\n').map((line) => `${margin}${line}`);
}
