import { act, runAgain } from './acts.js';
import { drawDiscord, forgetDiscord } from './discord.js';
import { element } from './element.js';
import { avatar, drawMessages } from './messages.js';
import { drawModals } from './modal.js';
import { drawTerminal } from './terminal.js';

const byId = (id) => document.getElementById(id);
const MEMORY = 'handraise-playground-user';

let people = [];
let user;
let screen;
let thread;
let stream;
/** Ephemeral messages that were on the screen before: anything else is news. Undefined before the first screen. */
let told;

function see(who) {
  user = who;
  sessionStorage.setItem(MEMORY, who);
  for (const input of byId('people').querySelectorAll('input')) input.checked = input.value === who;
  stream?.close();
  // What the last one saw in private is not for the next one, not even for a moment.
  for (const pane of ['messages', 'replies']) byId(pane).replaceChildren();
  forgetDiscord();
  told = undefined;
  stream = new EventSource(`/events?user=${encodeURIComponent(who)}`);
  stream.addEventListener('screen', ({ data }) => {
    screen = JSON.parse(data);
    draw();
    tellNotices();
  });
  stream.addEventListener('discord', ({ data }) => drawDiscord(JSON.parse(data), (what) => perform(what, 'discord')));
  stream.addEventListener('agent', ({ data }) => drawTerminal(JSON.parse(data)));
  stream.addEventListener('open', () => connected(true));
  stream.addEventListener('error', () => connected(false));
}

/** A private notice stands in the channel. Whoever looks at another pane is shown it here as well. */
function tellNotices() {
  const notices = screen.messages.filter(({ ephemeral }) => ephemeral);
  const news = told && notices.filter(({ ts }) => !told.has(ts)).at(-1);
  told = new Set(notices.map(({ ts }) => ts));
  if (news && document.body.dataset.pane !== 'channel') toast(`Only visible to you: ${news.notification}`);
}

function draw() {
  byId('channel-name').textContent = `#${screen.channel.name}`;
  const view = { act: perform, openThread };
  drawMessages(byId('messages'), screen.messages, { ...view, pane: 'channel' });
  byId('empty').hidden = screen.messages.length > 0;
  const parent = screen.messages.find(({ ts }) => ts === thread);
  byId('thread').hidden = parent === undefined;
  if (parent) drawMessages(byId('replies'), [parent, ...parent.replies], { ...view, pane: 'thread' });
  drawModals(screen.modals, view);
}

async function perform(what, platform = 'slack') {
  const result = await act(user, platform, what);
  if (result.kind === 'refused') toast(result.reason);
  return result;
}

function openThread(ts) {
  thread = ts;
  show('thread');
  draw();
  byId('replies').scrollTop = byId('replies').scrollHeight;
  byId('thread-title').focus();
}

function closeThread() {
  const back = thread;
  thread = undefined;
  show('channel');
  draw();
  for (const node of document.querySelectorAll('.replies')) if (node.dataset.focus === `replies|${back}`) node.focus();
}

/** Which pane a phone shows; a desktop shows them all. */
function show(pane) {
  document.body.dataset.pane = pane;
  for (const tab of document.querySelectorAll('.tabs button')) {
    tab.setAttribute('aria-pressed', String(tab.dataset.pane === pane));
  }
}

let hideToast;
function toast(text) {
  byId('toast').textContent = text;
  byId('toast').hidden = false;
  clearTimeout(hideToast);
  hideToast = setTimeout(() => {
    byId('toast').hidden = true;
  }, 6_000);
}

function connected(yes) {
  byId('connection').textContent = yes ? '' : 'The playground has stopped, or is starting again…';
}

function drawPeople() {
  byId('people').replaceChildren(
    ...people.map(({ id, name, role }) =>
      element(
        'label',
        {},
        element('input', { type: 'radio', name: 'user', value: id, on: { change: () => see(id) } }),
        avatar({ id, name, isBot: false }),
        element('span', {}, name, role === 'member' ? undefined : element('small', {}, ` ${role}`)),
      ),
    ),
  );
}

byId('close-thread').addEventListener('click', closeThread);
byId('again').addEventListener('click', async () => {
  const result = await runAgain();
  if (result.kind === 'refused') toast(result.reason);
});
for (const tab of document.querySelectorAll('.tabs button')) {
  tab.addEventListener('click', () => show(tab.dataset.pane));
}
document.addEventListener('keydown', (event) => {
  if (event.key === 'Escape' && thread !== undefined && !document.querySelector('dialog[open]')) closeThread();
});

const { workspace, people: everyone } = await (await fetch('/setup')).json();
people = everyone;
byId('workspace').textContent = workspace;
drawPeople();
const remembered = sessionStorage.getItem(MEMORY);
see(people.some(({ id }) => id === remembered) ? remembered : people[0].id);
