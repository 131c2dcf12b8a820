import { App, type ViewSubmitAction } from '@slack/bolt';
import type { Logger } from '../../src/core/ports/logger.ts';
import { sdkLogger } from './bolt-log.ts';
import { handleClick } from './clicks.ts';
import type { CheckedSlackConfig } from './config.ts';
import { handleHomeOpened } from './inbox.ts';
import type { Install } from './install.ts';
import type { Interactions } from './interactions.ts';
import type { SocketReceiver } from './receiver.ts';
import { handleSubmission } from './submissions.ts';
import { webOptions } from './web-clients.ts';

/** The Bolt app over our receiver: what is listened for, each acknowledged before anything else happens. */
export function createBoltApp(deps: {
  config: CheckedSlackConfig;
  install: Install;
  receiver: SocketReceiver;
  interactions: Interactions;
  log: Logger;
}): App {
  const { config, install, receiver, interactions, log } = deps;
  const app = new App({
    receiver,
    logger: sdkLogger(log, 'bolt'),
    // The installation is known already; left to itself, Bolt would ask again and crash on a refusal.
    authorize: async () => ({ botToken: config.botToken, botId: install.botId, botUserId: install.botUserId }),
    clientOptions: webOptions(config, log),
    convoStore: false,
  });
  app.action({ type: 'block_actions' }, async ({ ack, body }) => {
    await ack();
    await handleClick(interactions, body);
  });
  app.view<ViewSubmitAction>({ type: 'view_submission' }, async ({ ack, body }) => {
    await handleSubmission(interactions, body, ack);
  });
  app.event('app_home_opened', ({ body }) => handleHomeOpened(interactions, body));
  // Without a handler of its own Bolt rejects into the receiver; there it would only be logged again.
  app.error(async (error) => {
    log.error({ code: error.code, reason: error.message }, 'a Slack event could not be handled');
  });
  return app;
}
