import { describe, expect, it } from 'vitest';
import { ASK_CLAUSE, PROCEED_CLAUSE } from '../../../src/agents/clauses.ts';

describe('the system prompt', () => {
  it('says how to ask', () => {
    expect(ASK_CLAUSE).toMatchInlineSnapshot(
      `"People can be asked while you work: the tool mcp__operator__ask puts your question to an operator in chat and waits for the answer. Use it sparingly: only when you are blocked on a decision that is theirs and whose answer changes what you do next. Look up what can be looked up. Where there is a conventional default, take it and mention it. Offer 2 to 4 options a question, the recommended one first. This is the only way to ask: AskUserQuestion is not available, and nobody reads along while you work. When it returns an error, do what that error says."`,
    );
  });

  it('says that nobody can be asked', () => {
    expect(PROCEED_CLAUSE).toMatchInlineSnapshot(
      `"Nobody can be asked during this run: no person reads along, and AskUserQuestion is not available. Do not stop to ask. Where something is unclear, use your own judgement, take the conventional choice, and say in your final answer what you chose and why."`,
    );
  });
});
