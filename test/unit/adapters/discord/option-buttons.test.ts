import { ComponentType } from 'discord.js';
import { expect, it } from 'vitest';
import { renderCard } from '../../../../adapters/discord/render.ts';
import { openCard } from '../../../support/recording-host.ts';
import { batchOf, question } from '../../../support/requests.ts';

it.each([
  { labels: ['Postgres', 'SQLite'], beside: true },
  { labels: ['In memory (Recommended)', 'Redis'], beside: false },
])(
  'the buttons of $labels stand beside their options where that leaves a phone room: $beside',
  ({ labels, beside }) => {
    const [box] = renderCard(openCard(batchOf(question('Where?', labels)))).components;
    if (box?.type !== ComponentType.Container) throw new Error('not a container');
    const sections = box.components.filter(({ type }) => type === ComponentType.Section);
    const rows = box.components.filter(({ type }) => type === ComponentType.ActionRow);
    // The last row holds Other, Skip, Note and Decide without us.
    expect([sections.length, rows.length]).toEqual(beside ? [2, 1] : [0, 3]);
  },
);
