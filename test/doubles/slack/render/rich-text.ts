import { asList, asObj, asText, isObj, type Obj } from '../../json.ts';
import type { TextPart, TextSpan } from '../types.ts';
import { date } from './date.ts';
import type { Directory, Found } from './directory.ts';
import { emoji } from './emoji.ts';

/** A rich_text block's elements. Their text is literal: no markup, no entities, no shortcodes. */
export function richText(
  elements: readonly unknown[],
  directory: Directory,
  report: (found: Found) => void,
): TextPart[] {
  return elements.filter(isObj).flatMap((element) => {
    const type = asText(element['type']);
    if (type === 'rich_text_list') return listItems(element, directory, report);
    const spans = asList(element['elements'])
      .filter(isObj)
      .map((one) => span(one, directory, report));
    const kind =
      type === 'rich_text_preformatted' ? 'preformatted' : type === 'rich_text_quote' ? 'quote' : 'paragraph';
    return [{ kind, indent: 0, spans } satisfies TextPart];
  });
}

function listItems(list: Obj, directory: Directory, report: (found: Found) => void): TextPart[] {
  const indent = typeof list['indent'] === 'number' ? list['indent'] : 0;
  const offset = typeof list['offset'] === 'number' ? list['offset'] : 0;
  return asList(list['elements']).map((item, i) => {
    const spans = asList(asObj(item)['elements'])
      .filter(isObj)
      .map((one) => span(one, directory, report));
    if (list['style'] === 'ordered') return { kind: 'ordered', indent, number: offset + i + 1, spans };
    return { kind: 'bullet', indent, spans };
  });
}

function span(element: Obj, directory: Directory, report: (found: Found) => void): TextSpan {
  const style = styleOf(asObj(element['style']));
  const id = (key: string) => asText(element[key]);
  switch (element['type']) {
    case 'link': {
      const href = id('url');
      const label = id('text');
      report({ kind: 'link', target: href, ...(label ? { label } : {}) });
      return { kind: 'link', text: label || href, href, ...style };
    }
    case 'user':
      report({ kind: 'user', target: id('user_id') });
      return { kind: 'user', text: `@${directory.user(id('user_id')) ?? id('user_id')}`, ...style };
    case 'usergroup':
      report({ kind: 'group', target: id('usergroup_id') });
      return { kind: 'group', text: `@${directory.group(id('usergroup_id')) ?? id('usergroup_id')}`, ...style };
    case 'channel':
      report({ kind: 'channel_link', target: id('channel_id') });
      return { kind: 'channel', text: `#${directory.channel(id('channel_id')) ?? id('channel_id')}`, ...style };
    case 'broadcast': {
      const range = id('range');
      const kind = range === 'here' || range === 'everyone' ? range : 'channel';
      report({ kind, target: range });
      return { kind: 'broadcast', text: `@${range}`, ...style };
    }
    case 'emoji':
      return { kind: 'emoji', text: emoji(id('name')) ?? `:${id('name')}:`, ...style };
    case 'date': {
      const href = id('url');
      const text = date(Number(element['timestamp']), id('format')) ?? id('fallback');
      if (href) report({ kind: 'link', target: href, label: text });
      return { kind: 'date', text, ...(href ? { href } : {}), ...style };
    }
    case 'team':
      return { kind: 'text', text: id('team_id'), ...style };
    case 'color':
      return { kind: 'text', text: id('value'), ...style };
    default:
      return { kind: 'text', text: id('text'), ...style };
  }
}

function styleOf(style: Obj): Pick<TextSpan, 'bold' | 'italic' | 'strike' | 'code'> {
  return {
    ...(style['bold'] === true ? { bold: true } : {}),
    ...(style['italic'] === true ? { italic: true } : {}),
    ...(style['strike'] === true ? { strike: true } : {}),
    ...(style['code'] === true ? { code: true } : {}),
  };
}
