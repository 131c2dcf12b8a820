import { describe, expect, it } from 'vitest';
import { agentEnvironment } from '../../../src/agents/environment.ts';

/** The table of product.md "Configuration", each also as a file where it is a secret, and what may come with it. */
const removed = [
  'SLACK_BOT_TOKEN',
  'SLACK_BOT_TOKEN_FILE',
  'SLACK_APP_TOKEN',
  'SLACK_APP_TOKEN_FILE',
  'SLACK_API_URL',
  'DISCORD_BOT_TOKEN',
  'DISCORD_BOT_TOKEN_FILE',
  'DISCORD_API_URL',
  'HANDRAISE_SLACK_CHANNEL',
  'HANDRAISE_DISCORD_CHANNEL',
  'HANDRAISE_APPROVERS',
  'HANDRAISE_REDIS_URL',
  'HANDRAISE_REDIS_URL_FILE',
  'HANDRAISE_VERDICT_KEYS',
  'HANDRAISE_SIGNING_KEY',
  'HANDRAISE_SIGNING_KEY_FILE',
  'HANDRAISE_REQUESTER',
  'HANDRAISE_CONFIG',
  'HANDRAISE_CONTROL_SOCKET',
  'HANDRAISE_SOCK',
  'HANDRAISE_MCP_CONFIG',
  'HANDRAISE_OF_TOMORROW',
  'KITSOKI_OPERATOR_ASK_SOCK',
];

describe('the environment of an agent', () => {
  it.each(removed)('lacks %s', (name) => {
    expect(agentEnvironment({ [name]: 'x', PATH: '/bin' })).toEqual({ PATH: '/bin' });
  });

  it('keeps everything else as it is', () => {
    const env = {
      PATH: '/bin',
      ANTHROPIC_API_KEY: 'k',
      SLACK_WEBHOOK: 'w',
      EMPTY: '',
      MY_HANDRAISE_SOCK: 's',
      GONE: undefined,
    };
    const { GONE: _, ...kept } = env;
    expect(agentEnvironment(env)).toEqual(kept);
  });
});
