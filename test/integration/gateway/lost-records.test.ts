import { afterEach, describe, expect, it } from 'vitest';
import { choice, type GatewayStage, openGatewayStage } from '../../support/gateway-stage.ts';

let stage: GatewayStage;
afterEach(async () => {
  await stage.close();
  expect(stage.slack.violations).toEqual([]);
});

describe('a card whose gateway died before it could record it', () => {
  it('is settled within three seconds of its click, which tells the next gateway where it hangs', async () => {
    stage = await openGatewayStage();
    const first = await stage.gateway();
    const owner = await stage.owner('s1');
    const posted = stage.slack.faults.api('chat.postMessage', {
      kind: 'apply_then_drop',
      match: ({ args }) => JSON.stringify(args).includes('Which queue?'),
    });
    const dead = expect
      .poll(() => posted.hits, { timeout: 10_000, interval: 5 })
      .toBe(1)
      .then(() => first.kill('SIGKILL'));
    const answer = owner.prompter.ask(choice('Which queue?', 'Kafka', 'Rabbit'), {
      signal: new AbortController().signal,
    });
    await dead;
    await first.done;
    await stage.gateway();
    await stage.click(/Which queue/, 'Kafka').settled;
    const result = await answer;
    await result.delivered();
    await stage.seen('Answered', 3_000);
    expect(stage.cards('Which queue?')).toHaveLength(1);
  });
});
