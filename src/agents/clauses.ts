/** Name of our MCP server in an agent's configuration, and of its tool as Claude Code calls it. */
export const SERVER_NAME = 'operator';
export const ASK_TOOL = `mcp__${SERVER_NAME}__ask`;
/** What Claude Code asks before every step, where a run judges them. */
export const APPROVE_TOOL = `mcp__${SERVER_NAME}__approve`;

/** Claude Code's own question tool. It can reach nobody from here, so it is denied whether or not somebody can be asked. */
export const BUILT_IN_QUESTION_TOOL = 'AskUserQuestion';

/** What an agent reads in its system prompt when people can be asked. */
export const ASK_CLAUSE = [
  `People can be asked while you work: the tool ${ASK_TOOL} puts your question to an operator in chat and waits for the answer.`,
  'Use it sparingly: only when you are blocked on a decision that is theirs and whose answer changes what you do next.',
  'Look up what can be looked up. Where there is a conventional default, take it and mention it.',
  'Offer 2 to 4 options a question, the recommended one first.',
  `This is the only way to ask: ${BUILT_IN_QUESTION_TOOL} is not available, and nobody reads along while you work.`,
  'When it returns an error, do what that error says.',
].join(' ');

/** What it reads when nobody can be. */
export const PROCEED_CLAUSE = [
  `Nobody can be asked during this run: no person reads along, and ${BUILT_IN_QUESTION_TOOL} is not available.`,
  'Do not stop to ask. Where something is unclear, use your own judgement, take the conventional choice,',
  'and say in your final answer what you chose and why.',
].join(' ');
