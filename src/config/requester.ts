import { HandraiseError } from '../core/errors.ts';

/** An id of somebody, as `--as` and HANDRAISE_REQUESTER take it. */
const REQUESTER = /^(?:slack:[UW][A-Z0-9]{2,}|discord:\d{17,20}|local:(?:[A-Za-z_][\w.-]*|uid:\d+))$/;

/**
 * For whom a run is: `--as`, else HANDRAISE_REQUESTER; undefined where neither is given. Whoever it names does not decide
 * on its steps unless the binding says so (`grants.requester`). Throws `usage` or `configuration` for what is no id.
 */
export function requesterOf(flag: string | undefined, env: NodeJS.ProcessEnv): string | undefined {
  const variable = env['HANDRAISE_REQUESTER']?.trim();
  const given = flag ?? (variable === '' ? undefined : variable);
  if (given === undefined || REQUESTER.test(given)) return given;
  const name = flag === undefined ? 'HANDRAISE_REQUESTER' : '--as';
  throw new HandraiseError(`${name} ${JSON.stringify(given)} names nobody`, {
    code: flag === undefined ? 'configuration' : 'usage',
    hint: 'Write slack:U0123456789, discord:223344556677889900 or local:ana, by the id and not the name.',
  });
}
