import { describe, expect, it } from 'vitest';
import { choice, openGatewayStage } from '../../support/gateway-stage.ts';
import { KEYS } from '../../support/redis-store.ts';

describe('with the gateway in a process of its own', () => {
  it('the card of an owner that was killed is settled once its lease is over, and no other', async () => {
    const stage = await openGatewayStage();
    try {
      await stage.gateway();
      const asking = stage.desk.start(['ask', 'Which shell?', '--option', 'bash', '--option', 'zsh'], {
        env: stage.ownerEnv,
      });
      await stage.seen('zsh');
      const [killed = ''] = await stage.redis.client.zrange(KEYS.owners, 0, '-1');
      const other = await stage.owner('s2');
      const answer = other.prompter.ask(choice('Which editor?', 'vi', 'ed'), quietly());
      await stage.seen('Which editor?');
      asking.kill('SIGKILL');
      await asking;
      // Its lease runs out now instead of in half a minute.
      await stage.redis.client.zadd(KEYS.owners, 0, killed);
      await stage.seen('Agent gone', 20_000);
      expect(JSON.stringify(stage.cards('Which editor?'))).not.toContain('Agent gone');
      await stage.click(/Which editor/, 'ed').settled;
      const { outcome } = await answer;
      expect(outcome).toMatchObject({ kind: 'answered' });
    } finally {
      await stage.close();
    }
    expect(stage.slack.violations).toEqual([]);
  });
});

function quietly() {
  return { signal: new AbortController().signal };
}
