import { asList, asObj, asText, codePoints, isObj, type Obj } from '../../json.ts';
import { add, flag, inside, list, type Place, text, whole } from './check.ts';
import { button, select } from './elements.ts';

/** Component types by number: 1 row, 2 button, 3 and 5-8 selects, 9 section, 10 text, 11 thumbnail, 12 gallery, 13 file, 14 separator, 17 container. */
const SELECTS = [3, 5, 6, 7, 8];
const TOP_LEVEL_V2 = [1, 9, 10, 12, 13, 14, 17];
const IN_CONTAINER = [1, 9, 10, 12, 13, 14];

const TOTAL_MAX = 40;
const TEXT_MAX = 4000;
const LEGACY_ROWS_MAX = 5;
const LEGACY_TOTAL_MAX = 30;

/** The components of a message. `files`: names that `attachment://` may refer to. */
export function messageComponents(place: Place, of: Obj, v2: boolean, files: readonly string[]): void {
  const top = list(place, of, 'components', 0, v2 ? TOTAL_MAX : LEGACY_ROWS_MAX);
  for (const [there, component] of top) one(there, component, v2 ? TOP_LEVEL_V2 : [1], files);
  const all = flatten(asList(of['components']));
  const most = v2 ? TOTAL_MAX : LEGACY_TOTAL_MAX;
  if (all.length > most) {
    add(
      place,
      'COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED',
      `The total number of components cannot exceed ${most}`,
      'components',
    );
  }
  if (textLength(all) > TEXT_MAX) {
    const told = `Components displayable text size exceeds maximum size of ${TEXT_MAX}`;
    add(place, 'COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED', told, 'components');
  }
  duplicates(inside(place, 'components'), asList(of['components']));
}

function one(place: Place, of: Obj, allowed: readonly number[], files: readonly string[]): void {
  const type = of['type'];
  if (typeof type !== 'number' || !allowed.includes(type)) {
    const told = `Value of field "type" must be one of (${allowed.join(', ')}${allowed.length === 1 ? ',' : ''}).`;
    add(place, 'UNION_TYPE_CHOICES', told, 'type');
    return;
  }
  switch (type) {
    case 1:
      row(place, of);
      break;
    case 9:
      for (const [there, inner] of list(place, of, 'components', 1, 3)) one(there, inner, [10], files);
      if (isObj(of['accessory'])) one(inside(place, 'accessory'), of['accessory'], [2, 11], files);
      else add(place, 'BASE_TYPE_REQUIRED', 'This field is required', 'accessory');
      return;
    case 2:
      button(place, of);
      break;
    case 10:
      text(place, of, 'content', { min: 1, max: TEXT_MAX, required: true });
      break;
    case 11:
      media(inside(place, 'media'), asObj(of['media']), files);
      break;
    case 12:
      for (const [there, item] of list(place, of, 'items', 1, 10))
        media(inside(there, 'media'), asObj(item['media']), files);
      return;
    case 13:
      media(inside(place, 'file'), asObj(of['file']), files);
      break;
    case 14:
      flag(place, of, 'divider');
      whole(place, of, 'spacing', 1, 2);
      break;
    case 17:
      whole(place, of, 'accent_color', 0, 0xffffff);
      flag(place, of, 'spoiler');
      for (const [there, inner] of list(place, of, 'components', 1, TOTAL_MAX)) one(there, inner, IN_CONTAINER, files);
  }
}

function row(place: Place, of: Obj): void {
  const inner = list(place, of, 'components', 1, 5);
  const width = inner.reduce((sum, [, { type }]) => sum + (SELECTS.includes(Number(type)) ? 5 : 1), 0);
  if (width > 5 && inner.length <= 5) {
    const last = inner.length - 1;
    add(
      place,
      'COMPONENT_LAYOUT_WIDTH_EXCEEDED',
      'The specified component exceeds the maximum width',
      'components',
      last,
    );
  }
  for (const [there, element] of inner) {
    if (element['type'] === 2) button(there, element);
    else if (SELECTS.includes(Number(element['type']))) select(there, element);
    else add(there, 'UNION_TYPE_CHOICES', 'Value of field "type" must be one of (2, 3, 5, 6, 7, 8).', 'type');
  }
}

function media(place: Place, of: Obj, files: readonly string[]): void {
  const url = asText(of['url']);
  if (url === '') {
    add(place, 'BASE_TYPE_REQUIRED', 'This field is required', 'url');
    return;
  }
  const [, name] = /^attachment:\/\/(.+)$/.exec(url) ?? [];
  if (name === undefined) return;
  if (!files.includes(name)) {
    add(
      place,
      'UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND',
      `The referenced attachment "${name}" was not found`,
      'url',
    );
  }
}

/** Every component, those inside others included. */
export function flatten(components: readonly unknown[]): readonly Obj[] {
  return components.filter(isObj).flatMap((component): readonly Obj[] => {
    const { components: inner, accessory, component: wrapped } = component;
    const children = [...asList(inner), ...(isObj(accessory) ? [accessory] : []), ...(isObj(wrapped) ? [wrapped] : [])];
    return [component, ...flatten(children)];
  });
}

function textLength(all: readonly Obj[]): number {
  return all.reduce((sum, one) => sum + (one['type'] === 10 ? codePoints(asText(one['content'])) : 0), 0);
}

/** Each custom id stands once in a message or modal, disabled ones included. */
export function duplicates(place: Place, components: readonly unknown[], seen = new Set<string>()): void {
  for (const [index, component] of components.entries()) {
    if (!isObj(component)) continue;
    const there = inside(place, index);
    const check = (at: Place, of: Obj) => {
      const id = asText(of['custom_id']);
      if (id !== '' && seen.has(id)) {
        add(at, 'COMPONENT_CUSTOM_ID_DUPLICATED', 'Component custom id cannot be duplicated', 'custom_id');
      }
      seen.add(id);
    };
    check(there, component);
    duplicates(inside(there, 'components'), asList(component['components']), seen);
    for (const key of ['accessory', 'component']) {
      const inner = component[key];
      if (isObj(inner)) check(inside(there, key), inner);
    }
  }
}

/**
 * The hidden size limit of Components V2: measured by its reporter as the text's bytes and twelve for each text display
 * (discord-api-docs#8554). What other components weigh is not known; here their texts count alike.
 */
export function processedBytes(components: readonly unknown[]): number {
  const texts = ['content', 'label', 'custom_id', 'placeholder', 'url'];
  return flatten(components).reduce((sum, one) => {
    const own = texts.reduce((bytes, key) => bytes + Buffer.byteLength(asText(one[key])), 0);
    const options = asList(one['options']).map(asObj);
    const chosen = options.reduce(
      (bytes, option) =>
        bytes + ['label', 'value', 'description'].reduce((all, key) => all + Buffer.byteLength(asText(option[key])), 0),
      0,
    );
    return sum + own + chosen + 12;
  }, 0);
}

/** Pictures in thumbnails and galleries: over 64 is another hidden limit (discord-api-docs#7528). */
export function mediaCount(components: readonly unknown[]): number {
  return flatten(components).reduce(
    (sum, one) => sum + (one['type'] === 11 ? 1 : 0) + (one['type'] === 12 ? asList(one['items']).length : 0),
    0,
  );
}
