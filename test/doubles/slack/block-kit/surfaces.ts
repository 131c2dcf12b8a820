import { asList, asObj, codePoints, isObj, type Obj } from '../../json.ts';
import { checkBlocks } from './blocks.ts';
import { choice, flag, type Issue, shape, str } from './schema.ts';
import { plainText } from './text.ts';

/** All text of a message's blocks together; a field report (bolt-js#2509) found the wall here. */
const MESSAGE_TEXT_MAX = 13_200;
/** "The provided view is greater than 250kb." */
const VIEW_BYTES_MAX = 250_000;

export interface Verdict {
  /** Slack's error code when something is wrong. */
  readonly error?: string;
  readonly issues: readonly Issue[];
}

export function checkMessageBlocks(blocks: unknown): Verdict {
  const issues: Issue[] = [];
  checkBlocks(blocks, '/blocks', 50, issues);
  if (issues.length > 0) return { error: 'invalid_blocks', issues };
  if (textLength(blocks) > MESSAGE_TEXT_MAX) {
    return {
      error: 'msg_blocks_too_long',
      issues: [{ pointer: '/blocks', message: `text of all blocks must be at most ${MESSAGE_TEXT_MAX} characters` }],
    };
  }
  return { issues };
}

const common = { private_metadata: str(0, 3000), callback_id: str(0, 255), external_id: str(0, 255) };
const anything = () => undefined;
const modal = shape(
  { title: plainText(24), blocks: anything },
  {
    ...common,
    submit: plainText(24),
    close: plainText(24),
    clear_on_close: flag,
    notify_on_close: flag,
    submit_disabled: flag,
  },
);
const home = shape({ blocks: anything }, common);

export function checkView(view: unknown, type: 'modal' | 'home', pointer = '/view'): Verdict {
  const issues: Issue[] = [];
  choice(type)(asObj(view)['type'], `${pointer}/type`, issues);
  (type === 'modal' ? modal : home)(view, pointer, issues);
  const { blocks, submit } = asObj(view);
  if (blocks !== undefined) checkBlocks(blocks, `${pointer}/blocks`, 100, issues);
  const asks = asList(blocks).some((block) => isObj(block) && block['type'] === 'input');
  if (type === 'modal' && asks && submit === undefined) {
    issues.push({ pointer, message: 'missing required field: submit' });
  }
  if (issues.length > 0) return { error: 'invalid_arguments', issues };
  if (Buffer.byteLength(JSON.stringify(view)) > VIEW_BYTES_MAX) {
    return { error: 'view_too_large', issues: [{ pointer, message: 'the view is greater than 250kb' }] };
  }
  return { issues };
}

function textLength(value: unknown): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, member) => sum + textLength(member), 0);
  if (!isObj(value)) return 0;
  let sum = 0;
  for (const [key, member] of Object.entries(value as Obj)) {
    sum += key === 'text' && typeof member === 'string' ? codePoints(member) : textLength(member);
  }
  return sum;
}
