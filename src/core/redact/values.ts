/** Values that are no secret, whatever they are called: words of configuration and of programs. */
const PLAIN_WORDS = new Set(
  'true false null none nil undefined yes no on off empty required optional missing invalid expired valid default hidden redacted unset set auto string str text number int integer bool boolean any unknown void never object basic bearer digest negotiate ntlm oauth oauth2 password token secret key pass username user x-oauth-basic stdin prompt ask env self this enabled disabled error failed ok wrong incorrect changed reset todo tbd'.split(
    ' ',
  ),
);

/** A stand-in for a value that is somewhere else, or a mask. */
export function isPlaceholder(value: string): boolean {
  if (value === '' || PLAIN_WORDS.has(value.toLowerCase())) return true;
  if (value.startsWith('[secret:') || !/[\p{L}\p{N}]/u.test(value)) return true;
  if (/^<[^>]*>$|^\{\{|^\$\{\{|^[xX*.]+$|^%\w+%$/.test(value)) return true;
  return /^(?:your|my|example|insert|replace|change)[-_]/i.test(value) && !/\d{3}/.test(value);
}

/** A file that holds it: shown, since people have to see what is read. */
export function isPath(value: string): boolean {
  return /^(?:~|\.{1,2})?\/[\w.@+-]+(?:\/[\w.@+-]*)*$/.test(value) && !(value.length > 30 && looksRandom(value));
}

/** `config.token`, `getToken()`, `process.env.KEY`: code that names a secret, and is none. */
export function isCode(value: string): boolean {
  if (
    /^[\w$.]*\(|^[A-Za-z_$][\w$]*\[|^(?:process|import|os|env|self|this|ctx|req|config|args|opts|options)\b/.test(value)
  )
    return true;
  return /^[A-Za-z_$][\w$]{0,30}(?:\??\.[A-Za-z_$][\w$]{0,30})+$/.test(value) && !/\d{2}/.test(value);
}

/** Not a plain word: letters with digits or signs in them, as people are told to make passwords. */
export function isNoWord(value: string): boolean {
  if (value.length < 5 || isPlaceholder(value)) return false;
  if (/^\d+$/.test(value)) return value.length >= 16;
  if (/\d/.test(value) && /[A-Za-z]/.test(value)) return true;
  if (/[!@#$%^&*+=?~|]/.test(value) && /[A-Za-z0-9]/.test(value)) return true;
  return value.length >= 12 && /[a-z][A-Z]|[A-Z]{2}[a-z]/.test(value) && /^[A-Za-z+/=_-]+$/.test(value);
}

/** Made by a machine from many different characters: at least 16 of them, mixed classes, no UUID. */
export function looksRandom(value: string, least = 16): boolean {
  if (value.length < least || !/^[\w+/=.~%:|-]+$/.test(value)) return false;
  if (!/\d/.test(value) || !/[A-Za-z]/.test(value)) return false;
  if (/^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i.test(value)) return false;
  const sample = value.slice(0, 256);
  const distinct = new Set(sample).size;
  if (/^[\da-f]+$/i.test(value)) return value.length >= 24 && distinct >= 8;
  let changes = 0;
  for (let index = 1; index < sample.length; index += 1) {
    if (classOf(sample.charCodeAt(index)) !== classOf(sample.charCodeAt(index - 1))) changes += 1;
  }
  return distinct >= Math.min(12, sample.length * 0.5) && changes >= sample.length / 5;
}

/** Made by a machine, or at least no name of anything: letters and digits of some length, without what joins words. */
export function looksMade(value: string): boolean {
  if (looksRandom(value)) return true;
  return value.length >= 14 && /^[A-Za-z0-9!@#$%^&*]+$/.test(value) && /[A-Za-z]/.test(value) && /\d/.test(value);
}

function classOf(code: number): number {
  if (code >= 48 && code <= 57) return 0;
  if (code >= 65 && code <= 90) return 1;
  return code >= 97 && code <= 122 ? 2 : 3;
}
