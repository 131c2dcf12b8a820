import { asList, asObj, asText, isObj, type Obj } from '../../json.ts';
import type { FormStore } from '../forms.ts';
import type { RenderedText, ScreenComponent, ScreenControl, ScreenImage } from '../types.ts';
import { drawElement } from './controls.ts';

/** What drawing a message or modal takes. */
export interface Pen {
  readonly text: (source: string) => RenderedText;
  readonly forms: FormStore;
  readonly surface: string;
  /** What the client says under an input, by custom id. */
  readonly errors: Readonly<Record<string, string>>;
}

export function drawComponents(components: readonly unknown[], pen: Pen): readonly ScreenComponent[] {
  return components.filter(isObj).flatMap((one) => draw(one, pen) ?? []);
}

function draw(of: Obj, pen: Pen): ScreenComponent | undefined {
  switch (of['type']) {
    case 1:
      return rowOf(of, pen);
    case 9:
      return {
        type: 'section',
        texts: asList(of['components']).map((one) => pen.text(asText(asObj(one)['content']))),
        accessory: accessory(asObj(of['accessory']), pen),
      };
    case 10:
      return { type: 'text', text: pen.text(asText(of['content'])) };
    case 12:
      return { type: 'gallery', images: asList(of['items']).map((one) => image(asObj(one))) };
    case 13:
      return { type: 'file', name: asText(asObj(of['file'])['url']).replace(/^attachment:\/\//, '') };
    case 14:
      return { type: 'separator', divider: of['divider'] !== false, large: of['spacing'] === 2 };
    case 17:
      return {
        type: 'container',
        ...(typeof of['accent_color'] === 'number' ? { color: of['accent_color'] } : {}),
        spoiler: of['spoiler'] === true,
        components: drawComponents(asList(of['components']), pen),
      };
    case 18:
      return labelled(of, asObj(of['component']), pen);
    default:
      return undefined;
  }
}

/** In a modal the old form of an input: a row with a text input that brings its own label. */
function rowOf(of: Obj, pen: Pen): ScreenComponent {
  const elements = asList(of['components']).filter(isObj);
  const [first] = elements;
  if (first?.['type'] === 4) return labelled(first, first, pen);
  return { type: 'row', controls: elements.map((one) => drawElement(one, pen.forms, pen.surface)) };
}

function labelled(of: Obj, element: Obj, pen: Pen): ScreenComponent {
  const description = asText(of['description']);
  const error = pen.errors[asText(element['custom_id'])];
  return {
    type: 'label',
    label: asText(of['label']),
    ...(description === '' ? {} : { description }),
    control: drawElement(element, pen.forms, pen.surface),
    ...(error === undefined ? {} : { error }),
  };
}

function accessory(of: Obj, pen: Pen): ScreenControl | ScreenImage {
  return of['type'] === 11 ? image(of) : drawElement(of, pen.forms, pen.surface);
}

function image(of: Obj): ScreenImage {
  return { kind: 'image', url: asText(asObj(of['media'])['url']), alt: asText(of['description']) };
}

export function controlsOf(components: readonly ScreenComponent[]): readonly ScreenControl[] {
  return components.flatMap((one): readonly ScreenControl[] => {
    switch (one.type) {
      case 'row':
        return one.controls;
      case 'section':
        return one.accessory.kind === 'image' ? [] : [one.accessory];
      case 'container':
        return controlsOf(one.components);
      case 'label':
        return [one.control];
      default:
        return [];
    }
  });
}

/** All text of components, as one would read it aloud. Labels of controls are not part of it. */
export function plainOf(components: readonly ScreenComponent[]): string {
  return components
    .flatMap((one): readonly string[] => {
      switch (one.type) {
        case 'text':
          return [one.text.plain];
        case 'section':
          return one.texts.map((each) => each.plain);
        case 'container':
          return [plainOf(one.components)];
        case 'label':
          return [one.label];
        default:
          return [];
      }
    })
    .join('\n');
}
