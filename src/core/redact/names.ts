/**
 * How much a name says about its value: `surely` a secret whatever it looks like · a secret if it is no plain word
 * (`likely`) · a secret if it looks random (`maybe`).
 */
export type Suspicion = 'surely' | 'likely' | 'maybe';

/** Words that say nothing about what the value is, at the end of a name (`DB_PASSWORD_PROD`, `token2`). */
const NEUTRAL = new Set(
  'value plain raw b64 base64 encoded prod production dev development test testing live staging stage new old current previous prev primary secondary main backup base string text data env var rw ro here'.split(
    ' ',
  ),
);

const SURE = new Set(
  'password passwd passphrase passcode pwd pass passw secret token apikey apitoken accesskey secretkey privatekey authkey authtoken credential creds jwt bearer pat psk masterauth tokenv2 authtok'.split(
    ' ',
  ),
);

/** What a name in one word ends in: `PGPASSWORD`, `requirepass`, `authtoken`. */
const SURE_END = /(?:password|passwd|passphrase|secret|token|apikey|secretkey|accesskey|privatekey|authkey|pass)$/;
const NO_PASS = /^(?:by|com|sur|encom|tres|low|high|over|under|multi|single|two)pass$/;

const LIKELY = new Set([
  'auth',
  'authorization',
  'credentials',
  'secrets',
  'pin',
  'otp',
  'pw',
  'passwords',
  'mnemonic',
]);
const MAYBE = new Set(
  'key sig signature session sess sid sessid sessionid csrf xsrf csrftoken salt nonce seed hmac keys cert code state assertion challenge verifier tokens sas cookie digest login'.split(
    ' ',
  ),
);

/** What makes a key a secret one, and what makes it a key of something else. */
const SECRET_KEY = new Set(
  'api access secret private signing sign encryption encrypt master account shared auth deploy hmac aes subscription webhook license rsa ssh pgp gpg storage admin sharedaccess fernet crypt decrypt decryption jwt preshared wireguard authorization integration ingestion publish consumer backup'.split(
    ' ',
  ),
);
const PLAIN_KEY = new Set(
  'public pub primary foreign sort partition cache hash range unique composite object map dict row index group lookup idempotency translation registry event hot arrow query order publishable'.split(
    ' ',
  ),
);

/** What the name says of a value; undefined when nothing (`public_key`, `token_count`, `PASSWORD_FILE`). */
export function suspicionOf(name: string): Suspicion | undefined {
  if (name.length > MOST_NAME) return undefined;
  const words = wordsOf(name);
  while (words.length > 1 && isNeutral(words.at(-1) ?? '')) words.pop();
  const last = (words.at(-1) ?? '').replace(/\d+$/, '');
  const before = words.at(-2);
  if (last === 'key' && before !== undefined) {
    if (PLAIN_KEY.has(before)) return undefined;
    return SECRET_KEY.has(before) ? 'surely' : 'maybe';
  }
  if (last === 'id') return before === 'key' || before === 'session' || before === 'sess' ? 'maybe' : undefined;
  if (before === 'public' || before === 'max' || before === 'min' || before === 'next' || before === 'csrf') {
    return before === 'csrf' ? 'maybe' : undefined;
  }
  if (SURE.has(last) || (SURE_END.test(last) && !NO_PASS.test(last))) return 'surely';
  if (LIKELY.has(last)) return 'likely';
  if (MAYBE.has(last) || /sess(?:ion)?(?:id)?$|sid$/.test(last)) return 'maybe';
  return undefined;
}

const MOST_NAME = 120;

/** `dbPassword`, `DB_PASSWORD`, `db.password`, `X-Db-Password` → db, password. */
function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
}

function isNeutral(word: string): boolean {
  return NEUTRAL.has(word) || /^\d+$/.test(word);
}
