import { discordSignature, drawDiscordComponents, patchDiscordControls } from './discord-components.js';
import { element } from './element.js';
import { keep } from './keyed.js';
import { avatar, clock } from './messages.js';
import { drawText } from './text.js';

/** Draws Discord's messages into `parent`, and follows the newest unless the reader has scrolled up. */
export function drawDiscordMessages(parent, messages, view) {
  const follows = parent.scrollHeight - parent.scrollTop - parent.clientHeight < 80;
  const height = parent.scrollHeight;
  keep(parent, messages, {
    key: ({ id }) => id,
    signature: discordSignature,
    draw: (message) => drawMessage(message, view),
    patch: (node, message) => patchDiscordControls(node, message.controls, placeOf(message, view)),
  });
  if (follows && parent.scrollHeight !== height) parent.scrollTop = parent.scrollHeight;
}

function placeOf({ id }, { channel, act }) {
  return { id: `discord|${id}`, target: { channel, message: id }, act };
}

function drawMessage(message, view) {
  const { author, ephemeral } = message;
  const body = element('div', { className: 'body' });
  if (message.command !== undefined) body.append(element('p', { className: 'used' }, `used /${message.command}`));
  body.append(
    element(
      'div',
      { className: 'by' },
      element('strong', {}, author.name),
      author.isBot ? element('span', { className: 'badge' }, 'APP') : undefined,
      clock(message.at),
    ),
  );
  if (message.thinking) body.append(element('p', { className: 'thinking' }, `${author.name} is thinking…`));
  if (message.failed) body.append(element('p', { className: 'warning' }, 'The application did not respond'));
  if (message.text.plain !== '') body.append(drawText(message.text));
  const components = element('div', { className: 'components' });
  drawDiscordComponents(components, message.components, placeOf(message, view));
  body.append(components);
  for (const file of message.files) body.append(drawFile(file));
  if (message.edited) body.append(element('span', { className: 'edited' }, '(edited)'));
  for (const { customId } of message.warnings) {
    body.append(
      element('p', { className: 'warning', role: 'alert', data: { id: customId } }, 'This interaction failed'),
    );
  }
  if (message.thread) body.append(threadChip(message.thread, view));
  if (ephemeral) body.append(element('p', { className: 'private' }, 'Only you can see this'));
  return element(
    'article',
    {
      className: `message${ephemeral ? ' is-private' : ''}${message.pingsYou ? ' pings' : ''}`,
      data: { id: message.id },
      aria: { label: `${author.name}: ${message.notification.slice(0, 120)}` },
    },
    avatar(author),
    body,
  );
}

function drawFile({ name, size, content }) {
  return element(
    'details',
    { className: 'file' },
    element('summary', {}, name, element('small', {}, ` ${size} bytes`)),
    element('pre', { tabIndex: 0 }, content),
  );
}

function threadChip({ id, name, messages }, view) {
  return element(
    'button',
    { type: 'button', className: 'chip', data: { focus: `chip|${id}` }, on: { click: () => view.openThread(id) } },
    element('strong', {}, name),
    element('span', {}, `${messages} ${messages === 1 ? 'message' : 'messages'} ›`),
  );
}
