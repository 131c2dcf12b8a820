/** Everything a person does goes to the double, one after the other: what was typed arrives before the submit. */
let last = Promise.resolve();

/**
 * Sends one act of `user` on a platform (`slack`, `discord`). Resolves to what became of it (`acked`, `unacked`, `kept`, `done`) or to
 * `{ kind: 'refused', reason }` when it could not be done: the control is gone, or the playground has stopped.
 */
export function act(user, on, what) {
  const answer = last.then(() => send('/act', { user, act: { on, what } }));
  // A click waits for its acknowledgement, up to three seconds; the next one need not.
  last = what.do === 'type' || what.do === 'select' ? answer : Promise.resolve();
  return answer;
}

export function runAgain() {
  return send('/agent', {});
}

async function send(path, body) {
  try {
    const response = await fetch(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return await response.json();
  } catch {
    // The only way here is a playground that was stopped; the page stays open and says so.
    return { kind: 'refused', reason: 'The playground does not answer. Is it still running?' };
  }
}
