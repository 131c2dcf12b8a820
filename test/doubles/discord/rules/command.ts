import { isObj, type Obj } from '../../json.ts';
import { add, inside, type Place, text } from './check.ts';

/** A list of application commands, as it replaces the old one. */
export function commandList(place: Place, commands: readonly unknown[]): void {
  if (commands.length > 100) add(place, 'BASE_TYPE_MAX_LENGTH', 'Must be 100 or fewer in length.');
  const names = new Set<unknown>();
  for (const [index, command] of commands.entries()) {
    const there = inside(place, index);
    if (!isObj(command)) add(there, 'MODEL_TYPE_CONVERT', 'Only dictionaries may be used in a ModelType');
    else {
      one(there, command);
      if (names.has(command['name'])) {
        add(there, 'APPLICATION_COMMANDS_DUPLICATE_NAME', 'Application command names must be unique', 'name');
      }
      names.add(command['name']);
    }
  }
}

function one(place: Place, of: Obj): void {
  text(place, of, 'name', { min: 1, max: 32, required: true });
  const name = String(of['name'] ?? '');
  if ((of['type'] ?? 1) !== 1) return;
  if (!/^[-_'\p{L}\p{N}]{1,32}$/u.test(name) || name !== name.toLowerCase()) {
    add(place, 'APPLICATION_COMMAND_INVALID_NAME', 'Command name is invalid', 'name');
  }
  text(place, of, 'description', { min: 1, max: 100, required: true });
}
