import { SocketModeClient } from '@slack/socket-mode';
import type { ModalView } from '@slack/types';
import { WebClient } from '@slack/web-api';
import { createClock, type SlackDouble, type SlackDoubleOptions, startSlackDouble } from '../doubles/slack/index.ts';
import { quietLogger } from './slack-quiet-logger.ts';

export interface Incoming {
  readonly body: { readonly type: string; readonly trigger_id: string } & Record<string, unknown>;
  readonly ack: (payload?: Record<string, unknown>) => Promise<void>;
}

/** A Slack app of the plain clients on a double whose clock stands still, with one person in one channel. */
export interface SlackApp {
  readonly slack: SlackDouble;
  readonly web: WebClient;
  readonly ana: string;
  readonly channel: string;
  /** Interactions so far, oldest first. */
  readonly bodies: Incoming['body'][];
  /** What the app does with interactions from now on. At first it acknowledges. */
  answer(with_: (incoming: Incoming) => Promise<unknown>): void;
  /** Posts a message with one row of elements; returns its ts. */
  post(...elements: object[]): Promise<string>;
  /** Has Ana click a button that opens the modal. */
  openModal(view?: ModalView): Promise<void>;
  stop(): Promise<void>;
}

export async function startSlackApp(options: SlackDoubleOptions = {}): Promise<SlackApp> {
  const slack = await startSlackDouble({ clock: createClock({ flow: false }), rateLimits: false, ...options });
  const ana = slack.workspace.addUser({ name: 'ana', real_name: 'Ana' }).id;
  const channel = slack.workspace.addChannel({ name: 'general' }).id;
  const clientOptions = { slackApiUrl: slack.apiUrl, retryConfig: { retries: 0 }, rejectRateLimitedCalls: true };
  const web = new WebClient(slack.botToken, { ...clientOptions, logger: quietLogger });
  const socket = new SocketModeClient({ appToken: slack.appToken, clientOptions, logger: quietLogger });
  const bodies: Incoming['body'][] = [];
  let act: (incoming: Incoming) => Promise<unknown> = ({ ack }) => ack();
  socket.on('interactive', (incoming: Incoming) => {
    bodies.push(incoming.body);
    void act(incoming);
  });
  await socket.start();

  const post = async (...elements: object[]) => {
    const blocks = [{ type: 'actions', block_id: 'b', elements: elements as never }];
    return String((await web.chat.postMessage({ channel, text: 'Pick', blocks })).ts);
  };
  return {
    slack,
    web,
    ana,
    channel,
    bodies,
    post,
    answer(with_) {
      act = with_;
    },
    async openModal(view = modal()) {
      const ts = await post(button('open'));
      act = async ({ ack, body }) => {
        await ack();
        await web.views.open({ trigger_id: body.trigger_id, view });
      };
      slack.user(ana).click({ channel, message: ts, action: 'open' });
      await slack.until(ana, channel, (screen) => screen.modals[0]);
      act = ({ ack }) => ack();
    },
    async stop() {
      await socket.disconnect();
      await slack.close();
    },
  };
}

export const plain = (text: string) => ({ type: 'plain_text' as const, text });

export const options = ['red', 'green', 'blue'].map((value) => ({ text: plain(value.toUpperCase()), value }));

export const button = (id: string, extra: object = {}) => ({
  type: 'button' as const,
  action_id: id,
  value: id,
  text: plain(id.toUpperCase()),
  ...extra,
});

/** A modal with one input of every kind; only the first must be filled in. */
export function modal(extra: Partial<ModalView> = {}): ModalView {
  const input = (label: string, element: object) => ({
    type: 'input' as const,
    block_id: label.toLowerCase(),
    label: plain(label),
    optional: label !== 'One',
    element: { action_id: 'v', ...element } as never,
  });
  return {
    type: 'modal',
    callback_id: 'm',
    title: plain('Answer'),
    submit: plain('Send'),
    blocks: [
      input('One', { type: 'radio_buttons', options }),
      input('Many', { type: 'checkboxes', options }),
      input('Menu', { type: 'static_select', options }),
      input('Multi', { type: 'multi_static_select', options }),
      input('Other', { type: 'plain_text_input', max_length: 5 }),
    ],
    ...extra,
  };
}
