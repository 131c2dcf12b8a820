import type { Outcome } from '../core/outcomes.ts';
import type { CardPhase } from '../core/ports/surface-adapter.ts';
import type { Proposal } from '../core/proposals/contract.ts';
import type { AnswerSheet } from '../core/questions/answers.ts';
import type { QuestionBatch } from '../core/questions/contract.ts';
import type { Masker, Redactor } from '../core/redact/redactor.ts';
import type { CardView, Decision, ProposalView, QuestionsView, SessionFacts } from '../core/request.ts';

/**
 * The questions as people and stores get them. Each text is masked with the secrets of all in mind. Texts and labels that
 * differed by a secret only still differ: by a number behind them.
 */
export function maskedBatch(batch: QuestionBatch, masker: Masker): QuestionBatch {
  for (const text of textsOf(batch)) masker.text(text);
  const questions = distinct(batch.questions.map(({ question }) => masker.text(question)));
  return {
    ...batch,
    questions: batch.questions.map((asked, index) => {
      const labels = distinct(asked.options.map(({ label }) => masker.text(label)));
      return {
        ...asked,
        question: questions[index] ?? '',
        header: masker.text(asked.header),
        options: asked.options.map((option, at) => ({
          ...option,
          label: labels[at] ?? '',
          description: masker.text(option.description),
          ...(option.preview === undefined ? {} : { preview: masker.text(option.preview) }),
        })),
      };
    }),
    ...(batch.metadata?.source === undefined ? {} : { metadata: { source: masker.text(batch.metadata.source) } }),
  };
}

/** The sheet with the labels of `to` for those of `from`: both are the same batch, masked and not. */
export function relabelled(sheet: AnswerSheet, from: QuestionBatch, to: QuestionBatch): AnswerSheet {
  return sheet.map((answer, index) => {
    if (answer.status !== 'answered') return answer;
    const [shown = [], own = []] = [from.questions[index]?.options, to.questions[index]?.options];
    const labels = answer.labels.map(
      (label) => own[shown.findIndex((option) => option.label === label)]?.label ?? label,
    );
    return { ...answer, labels };
  });
}

/** The step as people and stores get it. Its digest stays that of what will run. */
export function maskedProposal(proposal: Proposal, masker: Masker): Proposal {
  const { full, programs, targets, hosts, part, agent, agentSays, cwd } = proposal;
  // First: what stands in it by its place is then known in every other text.
  const text = masker.text(full.text);
  return {
    ...proposal,
    tool: masker.name(proposal.tool),
    reason: masker.text(proposal.reason),
    ...(part === undefined ? {} : { part: masker.text(part) }),
    programs: programs.map((one) => ({ ...one, name: masker.name(one.name), text: masker.text(one.text) })),
    targets: targets.map((target) => ({ ...target, path: masker.name(target.path) })),
    hosts: hosts.map((host) => masker.name(host)),
    cwd: cwd === null ? null : masker.name(cwd),
    ...(agent === undefined ? {} : { agent: { id: masker.name(agent.id), type: masker.name(agent.type) } }),
    full: full.kind === 'diff' ? { ...full, path: masker.name(full.path), text } : { ...full, text },
    ...(agentSays === undefined ? {} : { agentSays: masker.text(agentSays) }),
  };
}

/** What the run says of itself. Its ids and its workspace stay: bindings are found by them. */
export function maskedSession(session: SessionFacts, redactor: Redactor): SessionFacts {
  const { program, branch } = session;
  return {
    ...session,
    ...(program === undefined ? {} : { program: redactor.text(program) }),
    ...(branch === undefined ? {} : { branch: redactor.certain(branch) }),
  };
}

/** A card of a record as the gateway draws it: without the secrets that only the gateway knows. */
export function maskedCard<T extends { readonly view: CardView; readonly state: CardPhase }>(
  card: T,
  redactor: Redactor,
): T {
  const masker = certainly(redactor);
  const view = maskedView(card.view, masker);
  return { ...card, view, state: maskedState(card.state, masker) };
}

/** What of a batch the gateway's own masking changes, for answers on cards that it drew. */
export function drawnBatch(batch: QuestionBatch, redactor: Redactor): QuestionBatch {
  return maskedBatch(batch, certainly(redactor));
}

function certainly(redactor: Redactor): Masker {
  const { name } = redactor.card();
  return { text: name, name };
}

function maskedView<T extends CardView>(view: T, masker: Masker): T;
function maskedView(view: CardView, masker: Masker): CardView {
  return view.kind === 'questions' ? maskedQuestions(view, masker) : maskedStep(view, masker);
}

function maskedQuestions(view: QuestionsView, masker: Masker): QuestionsView {
  return { ...view, questions: maskedBatch({ questions: view.questions }, masker).questions };
}

function maskedStep(view: ProposalView, masker: Masker): ProposalView {
  return { ...view, proposal: maskedProposal(view.proposal, masker) };
}

/** What people typed is shown on the card, too. */
function maskedState(state: CardPhase, masker: Masker): CardPhase {
  if (state.phase === 'recorded') return { ...state, decision: maskedAnswer(state.decision, masker) };
  return state.phase === 'ended' ? { ...state, outcome: maskedAnswer(state.outcome, masker) } : state;
}

function maskedAnswer<T extends Decision | Outcome>(answer: T, masker: Masker): T {
  const sheet = 'sheet' in answer ? { sheet: answer.sheet.map((one) => maskedEntry(one, masker)) } : {};
  const note = 'note' in answer && answer.note !== undefined ? { note: masker.text(answer.note) } : {};
  return { ...answer, ...sheet, ...note };
}

function maskedEntry(entry: AnswerSheet[number], masker: Masker): AnswerSheet[number] {
  if (entry.status !== 'answered') return entry;
  const { labels, other, notes } = entry;
  return {
    ...entry,
    labels: labels.map((label) => masker.text(label)),
    ...(other === undefined ? {} : { other: masker.text(other) }),
    ...(notes === undefined ? {} : { notes: masker.text(notes) }),
  };
}

function textsOf({ questions }: QuestionBatch): string[] {
  return questions.flatMap(({ question, options }) => [
    question,
    ...options.flatMap(({ label, description, preview = '' }) => [label, description, preview]),
  ]);
}

/** With ` (2)` behind the second of two that read the same. */
function distinct(texts: readonly string[]): string[] {
  const seen = new Set<string>();
  return texts.map((text) => {
    let unique = text;
    for (let number = 2; seen.has(unique.trim()); number += 1) unique = `${text} (${number})`;
    seen.add(unique.trim());
    return unique;
  });
}
