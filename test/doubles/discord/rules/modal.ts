import { asList, asObj, isObj, type Obj } from '../../json.ts';
import { add, inside, list, type Place, text } from './check.ts';
import { duplicates } from './components.ts';
import { checkboxGroup, customId, fileUpload, radioGroup, select, textInput } from './elements.ts';

/** What a Label wraps: selects, text input, file upload, radio group, checkbox group, checkbox. */
const IN_LABEL = [3, 4, 5, 6, 7, 8, 19, 21, 22, 23];

/** The data of a modal callback. The published schema would let 40 components through; the client shows five. */
export function modalBody(place: Place, data: Obj): void {
  customId(place, data);
  text(place, data, 'title', { min: 1, max: 45, required: true });
  for (const [there, component] of list(place, data, 'components', 1, 5)) top(there, component);
  duplicates(inside(place, 'components'), asList(data['components']));
}

function top(place: Place, of: Obj): void {
  switch (of['type']) {
    case 10:
      text(place, of, 'content', { min: 1, max: 4000, required: true });
      break;
    case 1:
      for (const [there, input] of list(place, of, 'components', 1, 1)) {
        if (input['type'] !== 4) add(there, 'UNION_TYPE_CHOICES', 'Value of field "type" must be one of (4,).', 'type');
        text(there, input, 'label', { min: 1, max: 45, required: true });
        textInput(there, input);
      }
      return;
    case 18:
      text(place, of, 'label', { min: 1, max: 45, required: true });
      text(place, of, 'description', { min: 1, max: 100 });
      if (isObj(of['component'])) input(inside(place, 'component'), of['component']);
      else add(place, 'BASE_TYPE_REQUIRED', 'This field is required', 'component');
      return;
    default:
      add(place, 'UNION_TYPE_CHOICES', 'Value of field "type" must be one of (1, 10, 18).', 'type');
  }
}

function input(place: Place, of: Obj): void {
  const type = Number(of['type']);
  if (!IN_LABEL.includes(type)) {
    add(place, 'UNION_TYPE_CHOICES', `Value of field "type" must be one of (${IN_LABEL.join(', ')}).`, 'type');
    return;
  }
  switch (type) {
    case 4:
      textInput(place, of);
      break;
    case 19:
      fileUpload(place, of);
      break;
    case 21:
      radioGroup(place, of);
      break;
    case 22:
      checkboxGroup(place, of);
      break;
    case 23:
      customId(place, of);
      break;
    default:
      select(place, of);
      if (asObj(of)['disabled'] === true) {
        add(place, 'COMPONENT_DISABLED_IN_MODAL', 'A select in a modal cannot be disabled', 'disabled');
      }
  }
}
