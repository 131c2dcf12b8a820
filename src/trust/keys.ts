import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto';
import { HandraiseError } from '../core/errors.ts';
import { SIGNING_KEY_SHAPE, VERDICT_KEY_SHAPE } from '../core/verdict-signature.ts';

/** A gateway's private key. It cannot be read out of it again. */
export interface SigningKey {
  readonly keyId: string;
  /** The public key as text (`hrvk1_…`): what owners pin. */
  readonly verdictKey: string;
  /** Ed25519 of the text's UTF-8, base64url. */
  sign(text: string): string;
}

/** A public key that owners pin. */
export interface VerdictKey {
  readonly keyId: string;
  /** False also for a signature that cannot be read. */
  verifies(text: string, signature: string): boolean;
}

/** What stands before the 32 bytes of an Ed25519 key in PKCS #8 and in SubjectPublicKeyInfo (RFC 8410). */
const DER = { private: '302e020100300506032b657004220420', public: '302a300506032b6570032100' } as const;

/** A fresh pair. `text` (`hrsk1_…`) is the secret: for a file or a variable, and for nothing else. */
export function newSigningKey(): { readonly key: SigningKey; readonly text: string } {
  const { privateKey } = generateKeyPairSync('ed25519');
  const { d = '' } = privateKey.export({ format: 'jwk' });
  return { key: signingKey(privateKey), text: `hrsk1_${d}` };
}

/** Throws `configuration` for anything but a private key; `where` names the place, and no part of the text is told. */
export function readSigningKey(text: string, where: string): SigningKey {
  if (VERDICT_KEY_SHAPE.test(text)) {
    throw refusal(
      `${where} holds a public key (hrvk1_…), and the gateway needs the private one`,
      'That one begins with hrsk1_. If it is lost, `handraise gateway keys new` makes a new pair.',
    );
  }
  const raw = SIGNING_KEY_SHAPE.test(text) ? bytesOf(text) : undefined;
  if (raw === undefined) {
    throw refusal(
      `${where} does not hold a signing key, which is hrsk1_ and 43 characters more`,
      '`handraise gateway keys new` makes one.',
    );
  }
  return signingKey(createPrivateKey({ key: der('private', raw), format: 'der', type: 'pkcs8' }));
}

/** Throws `configuration` for anything but a public key. A private one in its place is not repeated in the message. */
export function readVerdictKey(text: string): VerdictKey {
  const raw = VERDICT_KEY_SHAPE.test(text) ? bytesOf(text) : undefined;
  if (raw === undefined) {
    const isPrivate = SIGNING_KEY_SHAPE.test(text);
    throw refusal(
      isPrivate
        ? 'a private key (hrsk1_…) stands among the verdict keys'
        : 'a verdict key is not hrvk1_ and 43 characters',
      isPrivate
        ? 'Runs get the public one, which `handraise gateway keys show` prints. Make a new pair if an agent could read this.'
        : '`handraise gateway keys show` prints it where the gateway runs.',
    );
  }
  const key = createPublicKey({ key: der('public', raw), format: 'der', type: 'spki' });
  return {
    keyId: keyIdOf(raw),
    verifies(signed, signature) {
      const bytes = Buffer.from(signature, 'base64url');
      return bytes.length === 64 && verify(null, Buffer.from(signed), key, bytes);
    },
  };
}

function signingKey(key: KeyObject): SigningKey {
  const { x = '' } = createPublicKey(key).export({ format: 'jwk' });
  return {
    keyId: keyIdOf(Buffer.from(x, 'base64url')),
    verdictKey: `hrvk1_${x}`,
    sign: (text) => sign(null, Buffer.from(text), key).toString('base64url'),
  };
}

/** 64 bit of the public key's SHA-256: tells keys apart, no more; the key itself verifies. */
function keyIdOf(raw: Buffer): string {
  return createHash('sha256').update(raw).digest('hex').slice(0, 16);
}

function der(kind: keyof typeof DER, raw: Buffer): Buffer {
  return Buffer.concat([Buffer.from(DER[kind], 'hex'), raw]);
}

/** Undefined when the last character has bits that belong to no byte: two texts must not be one key. */
function bytesOf(text: string): Buffer | undefined {
  const encoded = text.slice(text.indexOf('_') + 1);
  const raw = Buffer.from(encoded, 'base64url');
  return raw.toString('base64url') === encoded ? raw : undefined;
}

function refusal(sentence: string, hint: string): HandraiseError {
  return new HandraiseError(sentence, { code: 'configuration', hint });
}
