import { createHash } from 'node:crypto';
import type { FullText } from '../core/proposals/contract.ts';
import type { ProposalView } from '../core/request.ts';
import { subjectOf } from './card-words.ts';
import { drawnText } from './full-text.ts';
import { proposalFacts, REVIEW_FACTS } from './proposal-facts.ts';
import { EFFECT_WORDS } from './proposal-words.ts';

/** A proposal as a file, for what no card or form has room for. */
export interface ProposalFile {
  readonly name: string;
  readonly data: string;
  /** SHA-256 of the data, lower-case hex: by it a form says which file it means. */
  readonly hash: string;
}

/** The facts without a limit worth the name, then all that will run; inert there, too. */
export function proposalFile(view: ProposalView): ProposalFile {
  const { effect, full } = view.proposal;
  const facts = proposalFacts(view, REVIEW_FACTS).facts.map(({ name, values }) => {
    const lines = values.map(({ text, warning }) => (warning === undefined ? text : `${text} (${warning})`));
    return `${name}: ${lines.join('\n  ')}`;
  });
  const { text } = drawnText(full);
  const head = `${EFFECT_WORDS[effect].word}: ${subjectOf(view)}`;
  const data = [head, ...facts, '', '--- all that will run ---', text].join('\n');
  return { name: NAMES[full.kind], data, hash: createHash('sha256').update(data).digest('hex') };
}

const NAMES: Readonly<Record<FullText['kind'], string>> = {
  command: 'command.txt',
  diff: 'change.diff.txt',
  input: 'input.txt',
};
