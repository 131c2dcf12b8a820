import type { ViewOutput } from '@slack/bolt';
import { asText, type Obj } from '../../json.ts';
import { stateValues } from '../forms.ts';
import type { ViewRecord } from '../views.ts';
import type { World } from '../world.ts';

/** A view as answers and payloads show it, with what its user has filled in. */
export function viewPayload(world: World, record: ViewRecord): ViewOutput {
  const { workspace } = world;
  const { body } = record;
  const externalId = asText(body['external_id']);
  return {
    id: record.id,
    team_id: workspace.teamId,
    app_id: workspace.appId,
    app_installed_team_id: workspace.orgInstall ? (workspace.enterpriseId ?? workspace.teamId) : workspace.teamId,
    bot_id: workspace.botId,
    type: asText(body['type']),
    callback_id: asText(body['callback_id']),
    private_metadata: asText(body['private_metadata']),
    title: (body['title'] ?? { type: 'plain_text', text: 'View Title', emoji: true }) as ViewOutput['title'],
    submit: (body['submit'] ?? null) as ViewOutput['submit'],
    close: (body['close'] ?? null) as ViewOutput['close'],
    blocks: body['blocks'] as ViewOutput['blocks'],
    state: { values: stateValues(world.forms, record.id, body['blocks'] as Obj[]) as ViewOutput['state']['values'] },
    hash: record.hash,
    root_view_id: record.root,
    previous_view_id: record.previous,
    clear_on_close: body['clear_on_close'] === true,
    notify_on_close: body['notify_on_close'] === true,
    external_id: externalId,
  };
}
