/**
 * What the README promises, by id. A test that proves one says so in its title, `(promise: <id>)`; an architecture test
 * compares the three lists: this one, the README's, and the one the tests cite.
 */
export const PROMISES: Readonly<Record<string, string>> = {
  'answer-unblocks': 'A tap in Slack is the tool result of the agent that asked, and of no other.',
  'every-shape':
    'One question or four, single- or multi-select, Other, notes, skipping one or all: each works from a phone.',
  'exact-label':
    'However long or odd a label is, the agent gets it back to the letter, and on the card it is inert text.',
  'one-winner': 'Of any number of clicks one counts; everybody else is told in private who was first.',
  'who-may-answer':
    'Guests, bots, deactivated accounts and people of other workspaces are refused in private, at every click.',
  'truthful-card': 'A card says "Answered" only after the agent’s side confirmed that it has the answer.',
  'proven-verdict':
    'Over Redis, an answer counts only with a gateway’s signature over that question, card, choice and person.',
  'silence-is-no-decision':
    'A timeout, an outage and a withdrawn question have their own words, for the agent and on the card.',
  'headless-goes-on': 'With nobody to ask, the agent is not offered the tool and never waits.',
  'writes-are-proposed':
    'Under `run`, Claude Code’s steps that write are put to people and run only after a click; reads run at once.',
  'denial-notes':
    'What a person writes with a denial is what the agent reads next; a timeout is never told as a refusal.',
  'external-every-time': 'A push is asked about every time, whatever was allowed before.',
  'gate-holds': 'No allow rule, permission mode, missing hook or broken socket lets a step past the gate.',
  'one-card': 'A question has one card, even when Slack’s reply to the post is lost.',
  reconnects: 'Slack’s connection refreshes and failures lose no answer that Slack acknowledged, and end no run.',
  'late-click':
    'A click on an old, finished or foreign card changes nothing and gets a sentence that says what happened.',
  'retried-call': 'A tool call that is made again joins its open question: one card, one answer, for every caller.',
  'found-again':
    'A missed question is found again: Slack’s Home tab and Discord’s `/pending` list what you may answer, and nothing else.',
  'dead-asker': 'When the agent is interrupted or killed, its card is settled within 3 seconds.',
  'killed-run': 'Cards of a run that was killed are settled by the next one.',
  'token-lock': 'A second run with the same Slack token on the host is refused (69) instead of stealing clicks.',
  'command-line':
    'What is open can be listed and answered at the command line, by the rules of a click; the card says who did.',
  'no-self-answer':
    '`handraise resolve` refuses (77) to answer from beneath an agent, and the attempt is in the audit.',
  'audit-chain':
    'A row of the audit that is changed, dropped or moved is found; `kill -9` at any step of a claim leaves it whole.',
  'tokens-stay-out': 'Chat tokens never reach the agent’s environment.',
  transparent: '`run` passes stdio, signals and the exit code through untouched.',
  doctor: '`handraise doctor` says what is wrong and what to do about it, and leaves nothing in the channel.',
  playground: '`npm start -- --auto` shows all of it without a token, a browser or Redis.',
};
