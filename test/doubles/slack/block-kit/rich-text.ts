import { type Check, choice, flag, kinds, list, shape, str, url, whole } from './schema.ts';

const style = { style: shape({}, { bold: flag, italic: flag, strike: flag, code: flag, underline: flag }) };
/** Slack states no limit for one text element; the sum over all blocks is what counts. */
const text = shape({ text: str(1, Number.POSITIVE_INFINITY) }, style);
const link = shape({ url: url(3000) }, { text: str(1, 3000), unsafe: flag, ...style });

const inline = kinds({
  text,
  link,
  emoji: shape({ name: str(1, 255) }, { unicode: str(1, 255), url: url(3000), ...style }),
  user: shape({ user_id: str(1, 255) }, style),
  usergroup: shape({ usergroup_id: str(1, 255) }, style),
  channel: shape({ channel_id: str(1, 255) }, style),
  team: shape({ team_id: str(1, 255) }, style),
  broadcast: shape({ range: choice('here', 'channel', 'everyone') }, style),
  color: shape({ value: str(1, 255) }, style),
  date: shape(
    { timestamp: whole(0, Number.MAX_SAFE_INTEGER), format: str(1, 3000) },
    { url: url(3000), fallback: str(1, 3000), ...style },
  ),
});

const MANY = Number.POSITIVE_INFINITY;
const border = { border: choice(0, 1) };
const section = shape({ elements: list(inline, 0, MANY) });

export const richTextElements: Check = list(
  kinds({
    rich_text_section: section,
    rich_text_preformatted: shape(
      { elements: list(kinds({ text, link }), 1, MANY) },
      { ...border, language: str(1, 255) },
    ),
    rich_text_quote: shape({ elements: list(inline, 1, MANY) }, border),
    rich_text_list: shape(
      { elements: list(kinds({ rich_text_section: section }), 1, MANY), style: choice('bullet', 'ordered') },
      { indent: whole(0, 8), offset: whole(0, Number.MAX_SAFE_INTEGER), ...border },
    ),
  }),
  1,
  MANY,
);
