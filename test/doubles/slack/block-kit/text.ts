import { type Check, choice, flag, kinds, shape, str } from './schema.ts';

/** Text objects, with the limit of the place they stand in. Slack's own limit for any of them is 3000. */
export const plainText = (max: number): Check => kinds({ plain_text: shape({ text: str(1, max) }, { emoji: flag }) });

export const anyText = (max: number): Check =>
  kinds({
    plain_text: shape({ text: str(1, max) }, { emoji: flag }),
    mrkdwn: shape({ text: str(1, max) }, { verbatim: flag }),
  });

export const confirm: Check = shape(
  { text: anyText(300) },
  { title: plainText(100), confirm: plainText(30), deny: plainText(30), style: choice('primary', 'danger') },
);
