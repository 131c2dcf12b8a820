/** What the model reads about the `ask` tool: when to ask, and how. One constant, without zod, for the bridge. */
export const ASK_TOOL = {
  name: 'ask',
  title: 'Ask the operator',
  description: [
    'Puts 1 to 4 questions to the human operator and waits for the answer.',
    'Ask only when you are blocked on a decision that is the operator’s to make and whose answer changes what you do next.',
    'Look up what can be looked up. Where a convention exists, follow it and mention it instead of asking.',
    'Never ask whether a plan is ready or whether you should go on.',
    'Give 2 to 4 distinct options for each question, a recommended one first with "(Recommended)" at the end of its label.',
    'Do not add an "Other" option: one with a text box is always added for the operator.',
    'Put questions that belong together into one call. If nobody answers, you are told so: then proceed on your own judgement.',
  ].join('\n'),
} as const;
