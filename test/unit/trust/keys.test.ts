import { createPublicKey, verify } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { HandraiseError } from '../../../src/core/errors.ts';
import { newSigningKey, readSigningKey, readVerdictKey } from '../../../src/trust/keys.ts';

describe('a signing key', () => {
  it('comes back from its text, signs the same, and shows only its public half', () => {
    const { key, text } = newSigningKey();
    const again = readSigningKey(text, 'here');
    expect(text).toMatch(/^hrsk1_[\w-]{43}$/);
    expect([again.keyId, again.verdictKey]).toEqual([key.keyId, key.verdictKey]);
    expect(again.sign('x')).toBe(key.sign('x'));
    expect(JSON.stringify(Object.entries(key))).not.toContain(text.slice(6));
  });

  it('is plain Ed25519, which any other implementation verifies', () => {
    const { key } = newSigningKey();
    const x = key.verdictKey.slice('hrvk1_'.length);
    const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
    expect(verify(null, Buffer.from('tëxt'), publicKey, Buffer.from(key.sign('tëxt'), 'base64url'))).toBe(true);
  });

  it('is read from the text of RFC 8032, test 1', () => {
    const seed = Buffer.from('9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60', 'hex');
    const raw = Buffer.from('d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a', 'hex');
    const key = readSigningKey(`hrsk1_${seed.toString('base64url')}`, 'here');
    expect(key.verdictKey).toBe(`hrvk1_${raw.toString('base64url')}`);
    expect(Buffer.from(key.sign(''), 'base64url').toString('hex')).toMatch(/^e5564300c360ac729086e2cc806e828a/);
  });

  it.each([
    ['nothing', ''],
    ['a key that is cut', `hrsk1_${'A'.repeat(42)}`],
    ['a PEM file', '-----BEGIN PRIVATE KEY-----'],
    ['a last character with bits that belong to no byte', `hrsk1_${'A'.repeat(42)}B`],
  ])('cannot be read from %s, and the message repeats none of it', (_, text) => {
    const error = refusalOf(() => readSigningKey(text, 'HANDRAISE_SIGNING_KEY'));
    expect(error.message).toBe(
      'HANDRAISE_SIGNING_KEY does not hold a signing key, which is hrsk1_ and 43 characters more',
    );
    expect(error.hint).toContain('gateway keys new');
  });

  it('is told apart from a public key', () => {
    const error = refusalOf(() => readSigningKey(newSigningKey().key.verdictKey, 'the file'));
    expect(error.message).toMatch(/^the file holds a public key/);
  });
});

describe('a verdict key', () => {
  it('verifies what its signing key signed, and nothing else', () => {
    const { key } = newSigningKey();
    const pinned = readVerdictKey(key.verdictKey);
    const signature = key.sign('text');
    expect(pinned.keyId).toBe(key.keyId);
    expect(pinned.verifies('text', signature)).toBe(true);
    for (const wrong of ['', 'x', signature.slice(1), `${signature}AA`, newSigningKey().key.sign('text')])
      expect(pinned.verifies('text', wrong)).toBe(false);
    expect(pinned.verifies('text ', signature)).toBe(false);
  });

  it('is refused where it is none, and a private one in its place is not repeated', () => {
    expect(refusalOf(() => readVerdictKey('abc')).message).toMatch(/is not hrvk1_/);
    const { text } = newSigningKey();
    const { message, hint } = refusalOf(() => readVerdictKey(text));
    expect(message).toMatch(/a private key .* stands among the verdict keys/);
    expect(`${message} ${hint}`).not.toContain(text.slice(6));
  });
});

function refusalOf(work: () => unknown): HandraiseError {
  try {
    work();
  } catch (thrown) {
    if (thrown instanceof HandraiseError && thrown.code === 'configuration') return thrown;
    throw thrown;
  }
  throw new Error('nothing was refused');
}
