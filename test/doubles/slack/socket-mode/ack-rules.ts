import { isObj, type Obj } from '../../json.ts';
import type { Issue } from '../block-kit/schema.ts';
import { checkMessageBlocks } from '../block-kit/surfaces.ts';

/** For everything but view submissions (see operator/submit.ts) and slash commands. */
export function mustBeEmpty(payload: Obj): readonly Issue[] {
  return Object.keys(payload).map((key) => ({ pointer: `/payload/${key}`, message: 'this ack must be empty' }));
}

/** A slash command's ack may be a message. */
export function mayBeMessage(payload: Obj): readonly Issue[] {
  const known = ['text', 'blocks', 'response_type'];
  const unknown = Object.keys(payload).filter((key) => !known.includes(key));
  const issues: Issue[] = unknown.map((key) => ({ pointer: `/payload/${key}`, message: `unknown member: ${key}` }));
  const { response_type: type, blocks } = payload;
  if (type !== undefined && type !== 'ephemeral' && type !== 'in_channel') {
    issues.push({ pointer: '/payload/response_type', message: 'must be a valid enum value' });
  }
  const wrong = blocks === undefined ? [] : checkMessageBlocks(blocks).issues;
  return [...issues, ...wrong.map((issue) => ({ ...issue, pointer: `/payload${issue.pointer}` }))];
}

/** The envelope id and payload of an ack frame, or what is wrong with it. */
export function parseAck(text: string): { readonly envelopeId: string; readonly payload: Obj } | string {
  let frame: unknown;
  try {
    frame = JSON.parse(text);
  } catch {
    return 'sent a frame that is not JSON';
  }
  if (!isObj(frame) || typeof frame['envelope_id'] !== 'string') return 'sent a frame without envelope_id';
  const extra = Object.keys(frame).filter((key) => key !== 'envelope_id' && key !== 'payload');
  if (extra.length > 0) return `sent a frame with unknown members: ${extra.join(', ')}`;
  const payload = frame['payload'] ?? {};
  return isObj(payload) ? { envelopeId: frame['envelope_id'], payload } : 'sent a payload that is not an object';
}
