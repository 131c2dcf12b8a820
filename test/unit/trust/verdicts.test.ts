import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Verdict } from '../../../src/core/request.ts';
import { newSigningKey, readVerdictKey } from '../../../src/trust/keys.ts';
import { createVerdictSigner, createVerdictVerifier } from '../../../src/trust/verdicts.ts';
import { proposalRequestOf, writeOf } from '../../support/proposals.ts';
import { ANA, BEN, batchOf, question, requestOf } from '../../support/requests.ts';
import { GATEWAY_KEY, sign, verify } from '../../support/verdict-keys.ts';
import '../../support/fast-check.ts';

const BATCH = batchOf(question('Which database?', ['Postgres', 'Redis']));
const ASKED = requestOf('r1', BATCH);
const CHOICE = {
  decision: { kind: 'answers', sheet: [{ status: 'answered', labels: ['Redis'] }] },
  actor: ANA,
  interactionId: 'click-1',
} as const;

function signed(on = ASKED, choice: Omit<Verdict, 'at' | 'signature'> = CHOICE, by = sign): Verdict {
  return { ...choice, at: 7, signature: by(on, choice, 5) };
}

describe('a signed verdict', () => {
  it('is believed for the request it was signed on, in whatever order its members come back', () => {
    expect(verify(ASKED, signed())).toBeUndefined();
    const backwards = (value: unknown): unknown =>
      Array.isArray(value)
        ? value.map(backwards)
        : typeof value === 'object' && value !== null
          ? Object.fromEntries(
              Object.entries(value)
                .reverse()
                .map(([key, inner]) => [key, backwards(inner)]),
            )
          : value;
    expect(verify(ASKED, backwards(signed()) as Verdict)).toBeUndefined();
  });

  const { signature, ...bare } = signed();
  if (signature === undefined) throw new Error('it is not signed');
  const other = requestOf('r2', BATCH);
  const reworded = requestOf('r1', batchOf(question('Which database?', ['Redis', 'Postgres'])));
  it.each<[string, Verdict, string]>([
    ['without a signature', bare, 'unsigned'],
    ['with another choice', { ...signed(), decision: { kind: 'declined' } }, 'bad_signature'],
    [
      'with a note added',
      {
        ...signed(),
        decision: { kind: 'answers', sheet: [{ status: 'answered', labels: ['Redis'], notes: 'rm -rf' }] },
      },
      'bad_signature',
    ],
    ['of somebody else', { ...signed(), actor: BEN }, 'bad_signature'],
    ['whose person got another standing', { ...signed(), actor: { ...ANA, standing: 'guest' } }, 'bad_signature'],
    ['of another click', { ...signed(), interactionId: 'click-2' }, 'bad_signature'],
    ['signed at another time', { ...signed(), signature: { ...signature, at: 6 } }, 'bad_signature'],
    ['taken from another request of the same question', signed(other), 'bad_signature'],
    [
      'from another request, under its digests',
      { ...bare, signature: { ...signature, value: signed(other).signature?.value ?? '' } },
      'bad_signature',
    ],
    ['on another question', signed({ ...reworded, view: ASKED.view }), 'batch_differs'],
    ['on another card', signed({ ...ASKED, view: reworded.view }), 'view_differs'],
    [
      'on a card of another session',
      signed({ ...ASKED, view: { ...ASKED.view, session: { ...ASKED.session, sessionId: 'session-2' } } }),
      'view_differs',
    ],
    ['on another card, with our digest put in', signedElsewhere(), 'bad_signature'],
    ['under the name of another key', { ...bare, signature: { ...signature, keyId: 'abc' } }, 'unknown_key'],
    ['by a key that is not pinned', signed(ASKED, CHOICE, createVerdictSigner(newSigningKey().key)), 'unknown_key'],
    ['with no signature in its signature', { ...bare, signature: { ...signature, value: '' } }, 'bad_signature'],
  ])('%s is not believed', (_, verdict, fault) => {
    expect(verify(ASKED, verdict)).toBe(fault);
  });

  it('is believed by either of two pinned keys, and no more once its own is gone', () => {
    const next = newSigningKey().key;
    const pinned = [GATEWAY_KEY, next].map((key) => readVerdictKey(key.verdictKey));
    const both = createVerdictVerifier(pinned);
    const byNext = signed(ASKED, CHOICE, createVerdictSigner(next));
    expect([both(ASKED, signed()), both(ASKED, byNext)]).toEqual([undefined, undefined]);
    const newOnly = createVerdictVerifier(pinned.slice(1));
    expect([newOnly(ASKED, signed()), newOnly(ASKED, byNext)]).toEqual(['unknown_key', undefined]);
  });

  it('is believed whatever was typed, after it was stored as JSON', () => {
    const text = fc.string({ unit: 'binary', minLength: 1 });
    fc.assert(
      fc.property(text, text, text, (asked, typed, name) => {
        const on = requestOf('r1', batchOf(question(asked, [`${typed}!`, `${name}?`])));
        const sheet = [{ status: 'answered', labels: [], other: typed, notes: name }] as const;
        const choice = { ...CHOICE, decision: { kind: 'answers', sheet }, actor: { ...ANA, name } } as const;
        const stored = JSON.parse(JSON.stringify({ on, verdict: signed(on, choice) }));
        expect(verify(on, stored.verdict)).toBeUndefined();
        expect(verify(stored.on, stored.verdict)).toBeUndefined();
      }),
    );
  });

  /** A gateway was shown another card, and whoever did that puts the right digest in afterwards. */
  function signedElsewhere(): Verdict {
    const elsewhere = signed({ ...ASKED, view: reworded.view });
    if (elsewhere.signature === undefined || signature === undefined) throw new Error('it is not signed');
    return { ...elsewhere, signature: { ...elsewhere.signature, view: signature.view } };
  }
});

describe('a signed decision on a proposal', () => {
  const ON = proposalRequestOf('p1', writeOf());
  const TURN_GRANT = { decision: { kind: 'granted', scope: 'turn' }, actor: ANA, interactionId: 'click-1' } as const;
  const made = (on = ON, choice: Omit<Verdict, 'at' | 'signature'> = TURN_GRANT): Verdict => ({
    ...choice,
    at: 7,
    signature: sign(on, choice, 5),
  });
  const other = (more: Parameters<typeof writeOf>[0]) => proposalRequestOf('p1', writeOf(more));

  it('is believed for the very action and card', () => {
    expect(verify(ON, made())).toBeUndefined();
    expect(made().signature).toMatchObject({ action: 'a1'.repeat(32) });
    expect(made().signature).not.toHaveProperty('batch');
  });

  it.each<[string, Verdict, string]>([
    ['with a wider scope', { ...made(), decision: { kind: 'granted', scope: 'session' } }, 'bad_signature'],
    [
      'turned into a grant',
      { ...made(ON, { ...TURN_GRANT, decision: { kind: 'denied' } }), ...TURN_GRANT },
      'bad_signature',
    ],
    [
      'with a note put in',
      { ...made(ON, { ...TURN_GRANT, decision: { kind: 'denied' } }), decision: { kind: 'denied', note: 'x' } },
      'bad_signature',
    ],
    ['of somebody else', { ...made(), actor: BEN }, 'bad_signature'],
    ['on another action behind the same card', made({ ...other({ digest: 'c3'.repeat(32) }) }), 'action_differs'],
    ['on a card with other text', made(other({ full: { kind: 'command', text: 'touch src/b.ts' } })), 'view_differs'],
    ['on a card with other offers', made(other({ offers: [] })), 'view_differs'],
    ['on an identical proposal', made(proposalRequestOf('p2', writeOf())), 'bad_signature'],
    ['made for a question', { ...TURN_GRANT, at: 7, signature: sign(ASKED, TURN_GRANT, 5) }, 'bad_signature'],
  ])('%s is not believed', (_, verdict, fault) => {
    expect(verify(ON, verdict)).toBe(fault);
  });
});
