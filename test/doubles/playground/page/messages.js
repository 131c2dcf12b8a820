import { blockSignature, drawBlocks } from './blocks.js';
import { patchControls } from './controls.js';
import { element } from './element.js';
import { keep } from './keyed.js';
import { drawText } from './text.js';

const WARNINGS = {
  timeout: 'The app did not respond in time. Try again.',
  no_connection: 'The app is not connected. Try again.',
  connection_lost: 'The connection to the app was lost. Try again.',
  bad_ack: 'The app answered with something Slack does not understand.',
};

/**
 * Draws messages into `parent` as one column, and follows the newest unless the reader has scrolled up.
 * `view` is `{ pane, act, openThread }`; replies are reached through `openThread(ts)`.
 */
export function drawMessages(parent, messages, view) {
  const follows = parent.scrollHeight - parent.scrollTop - parent.clientHeight < 80;
  const height = parent.scrollHeight;
  keep(parent, messages, {
    key: (message) => `${message.ts}${message.ephemeral ? '|private' : ''}`,
    signature: signatureOf,
    draw: (message) => drawMessage(message, view),
    patch: (node, message) => patchControls(node, message.controls, placeOf(message, view)),
  });
  if (follows && parent.scrollHeight !== height) parent.scrollTop = parent.scrollHeight;
}

function signatureOf({ replies, ...message }) {
  return blockSignature({ ...message, replies: replies.map(({ at, author }) => [at, author.id]) });
}

function placeOf(message, view) {
  return { id: `${view.pane}|${message.ts}`, target: { message: message.ts }, act: view.act };
}

function drawMessage(message, view) {
  const { author, ephemeral, tombstone } = message;
  const body = element('div', { className: 'body' });
  if (ephemeral) body.append(element('p', { className: 'private' }, eye(), ' Only visible to you'));
  if (view.pane === 'channel' && message.threadTs !== undefined) body.append(replyNote(message, view));
  body.append(
    element(
      'div',
      { className: 'by' },
      element('strong', {}, author.name),
      author.isBot ? element('span', { className: 'badge' }, 'App') : undefined,
      clock(message.at),
    ),
  );
  if (tombstone) body.append(element('p', { className: 'gone' }, 'This message was deleted.'));
  else body.append(drawContent(message, view));
  for (const { reason } of message.warnings) {
    body.append(element('p', { className: 'warning', role: 'alert' }, element('span', {}, '⚠ '), WARNINGS[reason]));
  }
  if (view.pane === 'channel' && message.threadTs === undefined && message.replies.length > 0) {
    body.append(repliesButton(message, view));
  }
  return element(
    'article',
    {
      className: `message${ephemeral ? ' is-private' : ''}`,
      data: { ts: message.ts },
      aria: { label: `${author.name}: ${message.notification.slice(0, 120)}` },
    },
    avatar(author),
    body,
  );
}

function drawContent(message, view) {
  const content = element('div', { className: message.blocks.length > 0 ? 'content blocks' : 'content' });
  if (message.blocks.length > 0) drawBlocks(content, message.blocks, placeOf(message, view));
  else content.append(drawText(message.text));
  if (message.edited) (content.lastElementChild?.querySelector('.text p:last-child') ?? content).append(edited());
  for (const file of message.files) {
    content.append(
      element(
        'details',
        { className: 'file' },
        element('summary', {}, file.title || file.name, element('small', {}, ` ${file.size} bytes`)),
        element('pre', { tabIndex: 0 }, file.content),
      ),
    );
  }
  return content;
}

function edited() {
  return element('span', { className: 'edited' }, ' (edited)');
}

function replyNote(message, view) {
  const link = element('button', { type: 'button', className: 'link' }, 'a thread');
  link.addEventListener('click', () => view.openThread(message.threadTs));
  return element('p', { className: 'replied' }, 'replied to ', link);
}

function repliesButton(message, view) {
  const seen = message.replies.filter(({ ephemeral }) => !ephemeral);
  const count =
    (seen.length || message.replies.length) === 1 ? '1 reply' : `${seen.length || message.replies.length} replies`;
  const people = new Map(message.replies.map(({ author }) => [author.id, author]));
  return element(
    'button',
    {
      type: 'button',
      className: 'replies',
      data: { focus: `replies|${message.ts}` },
      on: { click: () => view.openThread(message.ts) },
    },
    ...[...people.values()].slice(0, 3).map((author) => avatar(author)),
    element('span', {}, count),
  );
}

/** One after the other, so that the first few people differ. */
const COLOURS = ['#0f766e', '#b4531a', '#8b3fa8', '#1d6fb8', '#a1304f', '#4d6b1f'];
const colours = new Map();

/** The app's picture, or a person's initial on a colour of their own. */
export function avatar({ id, name, isBot }) {
  if (isBot) return element('img', { className: 'avatar', src: '/hand.svg', alt: '' });
  const known = colours.get(id) ?? COLOURS[colours.size % COLOURS.length];
  colours.set(id, known);
  const circle = element('span', { className: 'avatar', aria: { hidden: 'true' } }, name.slice(0, 1).toUpperCase());
  circle.style.setProperty('--person', known);
  return circle;
}

/** Twenty-four hours, as the dates inside the double's messages. */
export function clock(at) {
  const time = new Date(at);
  const text = time.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  return element('time', { dateTime: time.toISOString(), title: time.toLocaleString() }, text);
}

function eye() {
  return element('span', { className: 'eye', aria: { hidden: 'true' } });
}
