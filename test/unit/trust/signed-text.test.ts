import { describe, expect, it } from 'vitest';
import { newSigningKey, readVerdictKey } from '../../../src/trust/keys.ts';
import { openText, signText } from '../../../src/trust/signed-text.ts';
import { GATEWAY_KEY } from '../../support/verdict-keys.ts';

const KEYS = [readVerdictKey(GATEWAY_KEY.verdictKey)];

describe('a signed text', () => {
  const sealed = signText('a lease', '{"a":1}', GATEWAY_KEY);

  it('opens for its purpose with a pinned key', () => {
    expect(openText('a lease', sealed, KEYS)).toEqual({ text: '{"a":1}' });
  });

  it.each([
    ['another purpose', 'a verdict', sealed, { fault: 'bad_signature' }],
    ['another text', 'a lease', sealed.replace('1}', '2}'), { fault: 'bad_signature' }],
    ['no JSON', 'a lease', 'x', { fault: 'not_understood' }],
    ['another version', 'a lease', sealed.replace('"v":2', '"v":3'), { fault: 'not_understood' }],
    ['an unsigned one', 'a lease', '{"v":1,"bindings":[]}', { fault: 'not_understood' }],
  ])('does not open for %s', (_, purpose, text, fault) => {
    expect(openText(purpose, text, KEYS)).toEqual(fault);
  });

  it('names the key of a stranger', () => {
    const { key } = newSigningKey();
    expect(openText('a lease', signText('a lease', 'x', key), KEYS)).toEqual({
      fault: 'unknown_key',
      keyId: key.keyId,
    });
  });
});
