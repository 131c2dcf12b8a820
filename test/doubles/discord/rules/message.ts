import { asList, asObj, asText, codePoints, type Obj } from '../../json.ts';
import { FLAGS } from '../messages.ts';
import { add, list, numberOf, type Place, text } from './check.ts';
import { messageComponents } from './components.ts';

/** What a message would be after this body: for an edit, over what stood there. */
export interface Draft {
  readonly body: Obj;
  readonly v2: boolean;
  /** Names of the files that are sent along or kept. */
  readonly files: readonly string[];
}

/** The body of a message, an edit or a response. */
export function messageBody(place: Place, { body, v2, files }: Draft): void {
  text(place, body, 'content', { max: 2000 });
  const embeds = list(place, body, 'embeds', 0, 10);
  for (const [there, one] of embeds) embed(there, one);
  if (embeds.reduce((sum, [, one]) => sum + embedLength(one), 0) > 6000) {
    add(place, 'MAX_EMBED_SIZE_EXCEEDED', 'Embed size exceeds maximum size of 6000', 'embeds');
  }
  if (v2) {
    for (const key of ['content', 'embeds', 'poll', 'sticker_ids']) {
      const value = body[key];
      if (value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0))
        continue;
      const told = `The '${key}' field cannot be used when using MessageFlags.IS_COMPONENTS_V2`;
      add(place, 'MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2', told, key);
    }
  }
  messageComponents(place, body, v2, files);
  allowedMentions(place, body);
  nonce(place, body);
  for (const [there, one] of list(place, body, 'attachments', 0, 10)) text(there, one, 'description', { max: 1024 });
}

export function isV2(flags: number): boolean {
  return (flags & FLAGS.componentsV2) !== 0;
}

function embed(place: Place, of: Obj): void {
  text(place, of, 'title', { max: 256 });
  text(place, of, 'description', { max: 4096 });
  text({ ...place, path: [...place.path, 'footer'] }, asObj(of['footer']), 'text', { max: 2048 });
  text({ ...place, path: [...place.path, 'author'] }, asObj(of['author']), 'name', { max: 256 });
  for (const [there, field] of list(place, of, 'fields', 0, 25)) {
    text(there, field, 'name', { min: 1, max: 256, required: true });
    text(there, field, 'value', { min: 1, max: 1024, required: true });
  }
}

function embedLength(of: Obj): number {
  const texts = [of['title'], of['description'], asObj(of['footer'])['text'], asObj(of['author'])['name']];
  for (const field of asList(of['fields']).map(asObj)) texts.push(field['name'], field['value']);
  return texts.reduce((sum: number, one) => sum + codePoints(asText(one)), 0);
}

function allowedMentions(place: Place, body: Obj): void {
  const of = asObj(body['allowed_mentions']);
  const parse = asList(of['parse']);
  for (const [index, one] of parse.entries()) {
    if (one === 'users' || one === 'roles' || one === 'everyone') continue;
    add(
      place,
      'BASE_TYPE_CHOICES',
      "Value must be one of ('roles', 'users', 'everyone').",
      'allowed_mentions',
      'parse',
      index,
    );
  }
  for (const key of ['users', 'roles']) {
    const ids = asList(of[key]);
    if (ids.length > 100) {
      add(place, 'BASE_TYPE_MAX_LENGTH', 'Must be 100 or fewer in length.', 'allowed_mentions', key);
    }
    if (ids.length > 0 && parse.includes(key)) {
      const told = `parse:["${key}"] and ${key}: [ids...] are mutually exclusive.`;
      add(place, 'MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE', told, 'allowed_mentions');
    }
  }
}

function nonce(place: Place, body: Obj): void {
  if (typeof body['nonce'] === 'string') text(place, body, 'nonce', { max: 25 });
  const value = body['nonce'];
  if (value !== undefined && value !== null && typeof value !== 'string' && !Number.isInteger(value)) {
    add(place, 'NONCE_TYPE_INVALID', 'Nonce must be an integer or a string.', 'nonce');
  }
  if (numberOf(body, 'flags', 0) < 0)
    add(place, 'NUMBER_TYPE_MIN', 'int value should be greater than or equal to 0.', 'flags');
}
