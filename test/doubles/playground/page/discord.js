import { drawDiscordMessages } from './discord-messages.js';
import { drawDiscordModal } from './discord-modal.js';

const byId = (id) => document.getElementById(id);

/** The thread the reader looks at; null: the channel; undefined: nothing was chosen, so the newest thread. */
let chosen;
let pane;
let act;

/** Draws Discord's part of the page: one channel or thread at a time, as its clients on a phone do. */
export function drawDiscord(now, perform) {
  pane = now;
  act = perform;
  draw();
}

/** Somebody else looks now. */
export function forgetDiscord() {
  chosen = undefined;
  byId('discord-messages').replaceChildren();
}

function draw() {
  const thread =
    chosen === null ? undefined : (pane.threads.find(({ channel }) => channel.id === chosen) ?? pane.threads.at(-1));
  const screen = thread ?? pane.channel;
  byId('discord-name').textContent = thread ? thread.channel.name : `#${screen.channel.name}`;
  byId('discord-back').hidden = thread === undefined;
  const view = { channel: screen.channel.id, act, openThread: show };
  const list = byId('discord-messages');
  const fresh = list.dataset.channel !== screen.channel.id;
  if (fresh) list.replaceChildren();
  list.dataset.channel = screen.channel.id;
  drawDiscordMessages(list, screen.messages, view);
  if (fresh) list.scrollTop = list.scrollHeight;
  byId('discord-empty').hidden = screen.messages.length > 0;
  drawDiscordModal(screen.modals, view);
}

function show(thread) {
  chosen = thread;
  draw();
  byId('discord-name').focus();
}

byId('discord-back').addEventListener('click', () => show(null));
