// src/core/redact/matching.ts
function eachMatch(pattern, text, found) {
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    if (match[0] === "") pattern.lastIndex += 1;
    found(match);
  }
}

// src/core/redact/names.ts
var NEUTRAL = new Set(
  "value plain raw b64 base64 encoded prod production dev development test testing live staging stage new old current previous prev primary secondary main backup base string text data env var rw ro here".split(
    " "
  )
);
var SURE = new Set(
  "password passwd passphrase passcode pwd pass passw secret token apikey apitoken accesskey secretkey privatekey authkey authtoken credential creds jwt bearer pat psk masterauth tokenv2 authtok".split(
    " "
  )
);
var SURE_END = /(?:password|passwd|passphrase|secret|token|apikey|secretkey|accesskey|privatekey|authkey|pass)$/;
var NO_PASS = /^(?:by|com|sur|encom|tres|low|high|over|under|multi|single|two)pass$/;
var LIKELY = /* @__PURE__ */ new Set([
  "auth",
  "authorization",
  "credentials",
  "secrets",
  "pin",
  "otp",
  "pw",
  "passwords",
  "mnemonic"
]);
var MAYBE = new Set(
  "key sig signature session sess sid sessid sessionid csrf xsrf csrftoken salt nonce seed hmac keys cert code state assertion challenge verifier tokens sas cookie digest login".split(
    " "
  )
);
var SECRET_KEY = new Set(
  "api access secret private signing sign encryption encrypt master account shared auth deploy hmac aes subscription webhook license rsa ssh pgp gpg storage admin sharedaccess fernet crypt decrypt decryption jwt preshared wireguard authorization integration ingestion publish consumer backup".split(
    " "
  )
);
var PLAIN_KEY = new Set(
  "public pub primary foreign sort partition cache hash range unique composite object map dict row index group lookup idempotency translation registry event hot arrow query order publishable".split(
    " "
  )
);
function suspicionOf(name) {
  if (name.length > MOST_NAME) return void 0;
  const words = wordsOf(name);
  while (words.length > 1 && isNeutral(words.at(-1) ?? "")) words.pop();
  const last = (words.at(-1) ?? "").replace(/\d+$/, "");
  const before = words.at(-2);
  if (last === "key" && before !== void 0) {
    if (PLAIN_KEY.has(before)) return void 0;
    return SECRET_KEY.has(before) ? "surely" : "maybe";
  }
  if (last === "id") return before === "key" || before === "session" || before === "sess" ? "maybe" : void 0;
  if (before === "public" || before === "max" || before === "min" || before === "next" || before === "csrf") {
    return before === "csrf" ? "maybe" : void 0;
  }
  if (SURE.has(last) || SURE_END.test(last) && !NO_PASS.test(last)) return "surely";
  if (LIKELY.has(last)) return "likely";
  if (MAYBE.has(last) || /sess(?:ion)?(?:id)?$|sid$/.test(last)) return "maybe";
  return void 0;
}
var MOST_NAME = 120;
function wordsOf(name) {
  return name.replace(/([a-z0-9])([A-Z])/g, "$1 $2").toLowerCase().split(/[^a-z0-9]+/).filter((word) => word !== "");
}
function isNeutral(word) {
  return NEUTRAL.has(word) || /^\d+$/.test(word);
}

// src/core/redact/values.ts
var PLAIN_WORDS = new Set(
  "true false null none nil undefined yes no on off empty required optional missing invalid expired valid default hidden redacted unset set auto string str text number int integer bool boolean any unknown void never object basic bearer digest negotiate ntlm oauth oauth2 password token secret key pass username user x-oauth-basic stdin prompt ask env self this enabled disabled error failed ok wrong incorrect changed reset todo tbd".split(
    " "
  )
);
function isPlaceholder(value) {
  if (value === "" || PLAIN_WORDS.has(value.toLowerCase())) return true;
  if (value.startsWith("[secret:") || !/[\p{L}\p{N}]/u.test(value)) return true;
  if (/^<[^>]*>$|^\{\{|^\$\{\{|^[xX*.]+$|^%\w+%$/.test(value)) return true;
  return /^(?:your|my|example|insert|replace|change)[-_]/i.test(value) && !/\d{3}/.test(value);
}
function isPath(value) {
  return /^(?:~|\.{1,2})?\/[\w.@+-]+(?:\/[\w.@+-]*)*$/.test(value) && !(value.length > 30 && looksRandom(value));
}
function isCode(value) {
  if (/^[\w$.]*\(|^[A-Za-z_$][\w$]*\[|^(?:process|import|os|env|self|this|ctx|req|config|args|opts|options)\b/.test(value))
    return true;
  return /^[A-Za-z_$][\w$]{0,30}(?:\??\.[A-Za-z_$][\w$]{0,30})+$/.test(value) && !/\d{2}/.test(value);
}
function isNoWord(value) {
  if (value.length < 5 || isPlaceholder(value)) return false;
  if (/^\d+$/.test(value)) return value.length >= 16;
  if (/\d/.test(value) && /[A-Za-z]/.test(value)) return true;
  if (/[!@#$%^&*+=?~|]/.test(value) && /[A-Za-z0-9]/.test(value)) return true;
  return value.length >= 12 && /[a-z][A-Z]|[A-Z]{2}[a-z]/.test(value) && /^[A-Za-z+/=_-]+$/.test(value);
}
function looksRandom(value, least = 16) {
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
function looksMade(value) {
  if (looksRandom(value)) return true;
  return value.length >= 14 && /^[A-Za-z0-9!@#$%^&*]+$/.test(value) && /[A-Za-z]/.test(value) && /\d/.test(value);
}
function classOf(code) {
  if (code >= 48 && code <= 57) return 0;
  if (code >= 65 && code <= 90) return 1;
  return code >= 97 && code <= 122 ? 2 : 3;
}

// src/core/redact/assignments.ts
var NAMED = /(?<![\w.-])([\w.-]+)(\\?["'`]?\]?[ \t]{0,8}(?:=>|:=|={1,3}|:)[ \t]{0,8})/g;
var FLAG = /(?<![\w-])--?([A-Za-z][\w-]*)[ \t]{1,8}/g;
var ELEMENT = /<([\w.:-]+)>(?=[^<\s])/g;
function assignedSecrets(text) {
  const spans = [];
  let known = 0;
  const take = (span) => {
    if (span === void 0) return;
    spans.push(span);
    known = span.end;
  };
  eachMatch(NAMED, text, (match) => {
    const [whole, name = "", between = ""] = match;
    const before = text[match.index - 1] ?? "";
    if (match.index < known || between === ":" && before === "/") return;
    const at = match.index + whole.length;
    if (/^(?:proxy-|x-)?authorization$/i.test(name)) take(credentials(text, at));
    else if (/^(?:set-)?cookie2?$/i.test(name)) spans.push(...cookieSecrets(text, at, endOfHeader(text, at)));
    else take(assigned(text, { name, between, before, at }));
  });
  eachMatch(FLAG, text, (match) => {
    const [whole, name = ""] = match;
    const suspicion = suspicionOf(name);
    if (suspicion === void 0 || suspicion === "maybe") return;
    const { start, end } = valueAt(text, match.index + whole.length, "word");
    const value = text.slice(start, end);
    if (isNoWord(value) && !isPath(value) && !isCode(value) && !/^\w+=/.test(value)) {
      spans.push({ start, end, kind: kindOf(name) });
    }
  });
  eachMatch(ELEMENT, text, (match) => {
    const [whole, name = ""] = match;
    if (suspicionOf(name) !== "surely") return;
    const start = match.index + whole.length;
    const end = endAt(text, start, (unit) => unit === "<" || unit === "\n");
    if (!isPlaceholder(text.slice(start, end)) && text[start] !== "$") spans.push({ start, end, kind: kindOf(name) });
  });
  return spans;
}
function assigned(text, { name, between, before, at }) {
  const suspicion = suspicionOf(name);
  if (suspicion === void 0) return void 0;
  const isQuery = before === "?" || before === "&";
  const found = valueAt(text, at, isQuery ? "query" : between === "=" ? "word" : "setting");
  const value = text.slice(found.start, found.end);
  if (isPlaceholder(value) || isPath(value) || value.toLowerCase() === name.toLowerCase()) return void 0;
  if (value.includes("://") || value.startsWith("//")) return void 0;
  const isCompact = between === "=";
  if (!isWorthy(value, suspicion, { isCompact, ...found })) return void 0;
  return { start: found.start, end: found.end, kind: isQuery && suspicion === "maybe" ? "token" : kindOf(name) };
}
function isWorthy(value, suspicion, { isCompact, quoted }) {
  if (suspicion === "maybe") return looksMade(value);
  if (/^\d+$/.test(value) && value.length < (isCompact ? 4 : 16)) return false;
  if (suspicion === "likely") return isNoWord(value) && !(/\s/.test(value) || isCode(value));
  if (quoted) return !/\s/.test(value) || isCompact && value.length < 80;
  if (isCompact) return value.length >= 2 && !isCode(value);
  return isNoWord(value) && !isCode(value);
}
function credentials(text, at) {
  let start = at;
  if (`"'\``.includes(text[start] ?? " ")) start += 1;
  const end = endOfHeader(text, start);
  const [, scheme = ""] = /^([A-Za-z][\w-]{1,30}[ \t]{1,4})(?=[^\s,=]+(?:[\s,;]|$))/.exec(text.slice(start, Math.min(end, start + 4096))) ?? [];
  start += scheme.length;
  const until = endAt(text, start, (unit) => /[\s,;)}\]]/.test(unit) || isQuote(unit) || unit === "\\" || unit === "$");
  const value = text.slice(start, Math.min(until, end));
  if (value.length < 5 || isPlaceholder(value) || scheme === "" && !isNoWord(value)) return void 0;
  return { start, end: start + value.length, kind: "token" };
}
function cookieSecrets(text, from, to) {
  const spans = [];
  let at = from;
  while (at < to) {
    const end = Math.min(
      to,
      endAt(text, at, (unit) => unit === ";" || unit === "\n")
    );
    const sign = text.indexOf("=", at);
    if (sign >= at && sign < end) {
      const value = text.slice(sign + 1, end).trimEnd();
      const suspicion = suspicionOf(text.slice(at, sign).trim());
      const isSecret = suspicion === "surely" ? !isPlaceholder(value) : suspicion === void 0 ? looksRandom(value, 20) : looksMade(value);
      if (isSecret && !value.includes("$"))
        spans.push({ start: sign + 1, end: sign + 1 + value.length, kind: "cookie" });
    }
    at = end + 1;
  }
  return spans;
}
function endOfHeader(text, at) {
  return endAt(text, at, (unit) => unit === "\n" || isQuote(unit));
}
function valueAt(text, at, form) {
  const escaped = text[at] === "\\" && isQuote(text[at + 1] ?? "");
  const isOpening = isQuote(text[at] ?? "") && !(form === "word" && text[at] === "`");
  const quote = escaped ? text[at + 1] : isOpening ? text[at] : void 0;
  if (quote !== void 0) {
    const start = at + (escaped ? 2 : 1);
    let end2 = start;
    for (; end2 < text.length && text[end2] !== "\n"; end2 += 1) {
      if (text[end2] === "\\" && escaped && text[end2 + 1] === quote) break;
      if (text[end2] === "\\" && quote !== "'") end2 += 1;
      else if (text[end2] === quote) break;
      else if (quote !== "'" && isDynamic(text, end2)) break;
    }
    return { start, end: Math.min(end2, text.length), quoted: true };
  }
  const isEnd = (unit, index) => {
    if (/[\s"'`<>|&;]/.test(unit)) return true;
    if (unit === ")" || isDynamic(text, index)) return true;
    if (form === "query") return unit === "#";
    return unit === "," && (form === "setting" || /^\s|^[\w.-]{1,40}=/.test(text.slice(index + 1, index + 42)));
  };
  let end = endAt(text, at, isEnd);
  if (form === "setting") while (end > at && /[.,}\]:]/.test(text[end - 1] ?? "")) end -= 1;
  return { start: at, end, quoted: false };
}
function isDynamic(text, index) {
  return text[index] === "`" || text[index] === "$" && /[A-Za-z_({]/.test(text[index + 1] ?? "");
}
function isQuote(unit) {
  return unit === '"' || unit === "'" || unit === "`";
}
function endAt(text, from, isEnd) {
  let index = from;
  while (index < text.length && !isEnd(text[index] ?? "", index)) index += 1;
  return index;
}
function kindOf(name) {
  if (/pass|pwd/i.test(name)) return "password";
  if (/token|jwt|bearer|auth/i.test(name)) return "token";
  if (/key/i.test(name)) return "key";
  if (/sess|cookie|csrf|xsrf|sid$/i.test(name)) return "cookie";
  if (/sig/i.test(name)) return "signature";
  return "secret";
}

// src/core/redact/known.ts
var LEAST = 6;
var LEAST_ENCODED = 10;
function createKnownSecrets(known) {
  const forms = /* @__PURE__ */ new Map();
  for (const secret of known) {
    if (secret.value.length < LEAST) continue;
    for (const form of formsOf(secret.value)) if (!forms.has(form)) forms.set(form, secret);
  }
  const searched = [...forms];
  return (text) => {
    const spans = [];
    for (const [form, { kind, value }] of searched) {
      for (let at = text.indexOf(form); at >= 0; at = text.indexOf(form, at + form.length)) {
        spans.push({ start: at, end: at + form.length, kind, of: value });
      }
    }
    return spans;
  };
}
function formsOf(value) {
  const lines = value.includes("\n") ? value.split("\n").filter((line) => line.trim().length >= 20) : [];
  const inUrl = encodeURIComponent(value.replace(/\p{Cs}/gu, "\uFFFD"));
  const inJson = JSON.stringify(value).slice(1, -1);
  const encoded = base64Forms(value).filter((form) => form.length >= LEAST_ENCODED);
  return [.../* @__PURE__ */ new Set([value, ...lines, inUrl, inJson, ...encoded])];
}
function base64Forms(value) {
  const bytes = new TextEncoder().encode(value);
  return [0, 1, 2].flatMap((shift) => {
    const padded = new Uint8Array(shift + bytes.length);
    padded.set(bytes, shift);
    const written = btoa(String.fromCharCode(...padded)).replace(/=+$/, "");
    const usable = written.slice(Math.ceil(shift * 8 / 6), Math.floor(padded.length * 8 / 6));
    return [usable, usable.replaceAll("+", "-").replaceAll("/", "_")];
  });
}

// src/core/redact/pem.ts
var BEGIN = /-----BEGIN (?:[A-Z0-9]{1,12} ){0,4}PRIVATE KEY(?: BLOCK)?-----|Private-Lines: \d{1,4}(?=\s)/g;
var HEADER = /^[A-Za-z][A-Za-z-]{2,30}: /;
var LEAST2 = 40;
function privateKeys(text) {
  const spans = [];
  BEGIN.lastIndex = 0;
  for (let found = BEGIN.exec(text); found !== null; found = BEGIN.exec(text)) {
    const { span, next } = bodyAt(text, BEGIN.lastIndex);
    if (span !== void 0) spans.push(span);
    BEGIN.lastIndex = Math.max(next, BEGIN.lastIndex);
  }
  return spans;
}
function bodyAt(text, from) {
  let start = -1;
  let end = -1;
  let characters = 0;
  let at = from;
  while (at < text.length) {
    const line = lineAt(text, at);
    const trimmed = trim(text, at, line.end);
    const piece = text.slice(trimmed.start, trimmed.end);
    if (piece !== "") {
      const isKey = isBase64(piece) && (piece.length >= LEAST2 || characters >= LEAST2 && !/^[a-z]+$/.test(piece));
      if (!isKey && !(start < 0 && HEADER.test(piece))) break;
      if (isKey) {
        if (start < 0) start = trimmed.start;
        end = trimmed.end;
        characters += piece.length;
      }
    }
    if (line.next === at) break;
    at = line.next;
  }
  return characters < LEAST2 ? { span: void 0, next: at } : { span: { start, end, kind: "private-key" }, next: at };
}
function lineAt(text, at) {
  for (let index = at; index < text.length; index += 1) {
    const unit = text[index];
    if (unit === "\n") return { end: index, next: index + 1 };
    if (unit === "-" && text.startsWith("-----", index)) return { end: index, next: index };
    if (unit !== "\\") continue;
    let breaks = index;
    while (text[breaks] === "\\") breaks += 1;
    if (text[breaks] === "n" || text[breaks] === "r") return { end: index, next: breaks + 1 };
  }
  return { end: text.length, next: text.length };
}
function trim(text, from, to) {
  let start = from;
  let end = to;
  while (start < end && " 	\r>\"'`|#*".includes(text[start] ?? "")) start += 1;
  if (start === from && (text[start] === "-" || text[start] === "+" && /[ \t]/.test(text[start + 1] ?? ""))) {
    if (!text.startsWith("-----", start)) start += 1;
  }
  while (start < end && " 	".includes(text[start] ?? "")) start += 1;
  while (end > start && " 	\r\"'`,;)".includes(text[end - 1] ?? "")) end -= 1;
  const closing = text.slice(start, end).search(/-----|["'`]/);
  return closing > 0 ? { start, end: start + closing } : { start, end };
}
function isBase64(piece) {
  return /^[A-Za-z0-9+/]+={0,2}$/.test(piece);
}

// src/core/redact/phrases.ts
var PHRASES = [
  // In sentences, and in files of words such as `.netrc`.
  {
    pattern: /(?<![\w-])(?:password|passphrase|passwd|passcode|pwd|pass|secret|token|credential|(?:api|access|secret|private|auth)[ -]key)s?[ \t]{1,4}(?:(?:is|was|of|to|now|as)[ \t]{1,4}|[:=][ \t]{0,4})?["'`]?([^\s"'`,;<>|&()$]{6,})/gi
  },
  // SQL.
  {
    pattern: /\bidentified[ \t]+(?:with[ \t]+[\w"'`]{1,40}[ \t]+)?by[ \t]+(?:password[ \t]+)?'([^'\n]{1,200})'/gi,
    sure: true
  },
  { pattern: /\bpassword[ \t]*[(=]?[ \t]*'([^'\n]{3,200})'/gi, sure: true },
  // A line of `.pgpass`.
  { pattern: /^[^:\s]{1,100}:(?:\d{1,5}|\*):[^:\s]{1,100}:[^:\s]{1,100}:([^:\s]{3,})$/gm, sure: true },
  // Settings of Redis.
  { pattern: /^[ \t]*(?:requirepass|masterauth|sentinel auth-pass \w{1,60})[ \t]+"?([^\s"]{3,})/gm, sure: true },
  { pattern: /\bpass(?:word)?:((?!\/)[^\s"'`;|&$]{4,})(?=[\s"']|$)/g },
  // `-u user:password`.
  { pattern: /(?<!\S)(?:-u|--user|--proxy-user|-U|-a|--auth)[ =]{0,2}["']?[^\s:"'/]{1,80}:([^\s"'`$]{4,})/g }
];
function announcedSecrets(text) {
  const spans = [];
  for (const { pattern, sure = false } of PHRASES) {
    eachMatch(pattern, text, (match) => {
      const [whole, announced = ""] = match;
      const value = sure ? announced : announced.replace(/[.!?)\]}:]{1,4}$/, "");
      if (!sure && !isSecretWord(value)) return;
      const start = match.index + whole.lastIndexOf(announced);
      spans.push({ start, end: start + value.length, kind: "password" });
    });
  }
  return spans;
}
function isSecretWord(value) {
  if (value.length < 6 || !isNoWord(value) || isPath(value) || isCode(value)) return false;
  return !value.includes("://") && !value.startsWith("//") && !/^\w+=/.test(value);
}

// src/core/redact/shapes.ts
var SHAPES = [
  ["github", /gh[pousr]_[A-Za-z0-9]{16,}|github_pat_\w{20,}/g],
  ["gitlab", /gl(?:pat|dt|rt|rtr|cbt|ptt|ft|imt|agent|oas|soat|ffct|wt)-[\w.=-]{16,}|GR1348941[\w-]{16,}/g],
  ["slack", /xox[abeoprs]-[\w.-]{8,}|xoxe\.xox[bp]-[\w-]{8,}|xapp-[\w-]{8,}|xwfp-[\w-]{8,}|xoxd-[\w%+/=-]{16,}/g],
  ["slack-webhook", /hooks\.slack(?:-gov)?\.com\/(?:services|workflows|triggers)\/([\w/-]{16,})/g],
  ["discord-webhook", /discord(?:app)?\.com\/api\/(?:v\d{1,2}\/)?webhooks\/\d{5,25}\/([\w-]{16,})/g],
  ["discord", /(?<![\w-])[MNO][\w-]{17,}\.[\w-]{5,7}\.[\w-]{25,}/g],
  ["discord", /(?<![\w-])mfa\.[\w-]{40,}/g],
  ["teams-webhook", /\.webhook\.office\.com\/webhookb2\/([\w@/-]{40,})/g],
  [
    "webhook",
    /(?:hooks\.zapier\.com\/hooks\/catch|hook(?:\.\w{2,4}\d?)?\.(?:make|integromat)\.com|chat\.googleapis\.com\/v1\/spaces\/[\w-]{4,40}\/messages\?key=|events\.pagerduty\.com\/integration|outlook\.office\.com\/webhook|maker\.ifttt\.com\/trigger\/\w{1,60}\/with\/key)\/?([\w@/-]{12,})/g
  ],
  ["aws", /(?<![A-Z0-9])(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{12,20}(?![A-Za-z0-9])/g],
  ["aws", /(?<![\w+/])(?:ABSK[\w+/=]{60,}|bedrock-api-key-[\w+/=-]{30,}|(?:FwoGZXIvYXdz|IQoJb3JpZ2lu)[\w+/=%-]{40,})/g],
  [
    "google",
    /AIza[\w-]{30,}|GOCSPX-[\w-]{16,}|ya29\.[\w.-]{16,}|(?<![\w/])1\/\/0[\w-]{20,}|(?<![\w.-])AQ\.Ab[\w-]{30,}/g
  ],
  ["anthropic", /sk-ant-[\w-]{16,}/g],
  ["openai", /(?<![A-Za-z0-9])sk-(?:proj|svcacct|admin|or-v1|None|lf)-[\w-]{16,}/g],
  ["api-key", /(?<![A-Za-z0-9])(?:sk|pk|rk|ak|key)-(?:[a-z]{2,10}-)?(?=[A-Za-z]{0,60}\d)[A-Za-z0-9]{20,}/g],
  ["stripe", /(?<![A-Za-z0-9])(?:sk|rk|pk)_(?:live|test|prod|org)_[A-Za-z0-9_]{10,}|whsec_[A-Za-z0-9+/=]{16,}/g],
  [
    "jwt",
    /(?<![\w-])ey[JIK][\w-]{8,}\.ey[\w-]{6,}(?:\.[\w-]*)?|(?<![\w-])eyJ[\w-]{8,}\.[\w-]{0,}\.[\w-]{6,}\.[\w-]{6,}\.[\w-]{6,}/g
  ],
  ["npm", /npm_[A-Za-z0-9]{20,}/g],
  ["pypi", /pypi-[\w-]{30,}/g],
  ["rubygems", /rubygems_[a-f0-9]{24,}/g],
  ["nuget", /(?<![A-Za-z0-9])oy2[a-z0-9]{43}(?![A-Za-z0-9])/g],
  ["clojars", /CLOJARS_[A-Za-z0-9]{20,}/gi],
  ["crates", /(?<![A-Za-z0-9])cio[A-Za-z0-9]{32}(?![A-Za-z0-9])/g],
  ["docker", /dckr_[a-z]{2,4}_[\w-]{16,}/g],
  ["vault", /(?<![\w.-])(?:hv[sbr]\.[\w-]{16,}|[sbr]\.(?=[A-Za-z]{0,23}\d)[A-Za-z0-9]{24}(?![\w.-]))/g],
  ["terraform", /(?<![A-Za-z0-9])[A-Za-z0-9]{14}\.atlasv1\.[\w-]{40,}/g],
  ["digitalocean", /do[opr]_v1_[a-f0-9]{32,}/g],
  ["tailscale", /tskey-(?:[a-z]+-)?[\w-]{12,}/g],
  ["telegram", /(?<![A-Za-z0-9])(?:bot)?\d{7,11}:AA[\w-]{30,}/g],
  ["sendgrid", /(?<![\w.-])SG\.[\w-]{10,}\.[\w-]{10,}/g],
  ["twilio", /(?<![A-Za-z0-9])SK[a-f0-9]{32}(?![A-Za-z0-9])/g],
  ["mailchimp", /(?<![A-Za-z0-9])[a-f0-9]{32}-us\d{1,2}(?![A-Za-z0-9])/g],
  ["mailgun", /(?<![A-Za-z0-9])(?:key-[a-f0-9]{32}|[a-f0-9]{32}-[a-f0-9]{8}-[a-f0-9]{8})(?![A-Za-z0-9-])/g],
  ["brevo", /xkeysib-[a-f0-9]{16,}(?:-\w{8,})?|xsmtpsib-[a-f0-9]{16,}(?:-\w{8,})?/g],
  ["square", /(?<![A-Za-z0-9])(?:sq0[a-z]{3}-[\w-]{20,}|EAAA[\w+=-]{50,})/g],
  ["facebook", /(?<![A-Za-z0-9])EAA[A-Za-z0-9]{60,}/g],
  ["shopify", /shp(?:at|ca|pa|ss|tka|ua)_[A-Za-z0-9]{20,}/g],
  ["azure", /(?<![\w~.-])[\w.-]{3,5}\dQ~[\w~.-]{30,}/g],
  ["azure", /(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{76}(?:\+AStA|APIM|ACDb)[A-Za-z0-9+/]{4,8}={0,2}/g],
  ["atlassian", /ATATT3[\w=+/-]{30,}|ATCTT3[\w=+/-]{30,}|ATBB[A-Za-z0-9]{24,}|ATTA[a-f0-9]{40,}|ATOA[\w-]{30,}/g],
  ["grafana", /gl(?:sa|c)_[A-Za-z0-9+/=_]{20,}|(?<![A-Za-z0-9])eyJrIjoi[A-Za-z0-9+/=]{30,}/g],
  ["newrelic", /NR(?:AK|II|IQ|AA|BR|RA)-[A-Za-z0-9-]{16,}|NRJS-[a-f0-9]{16,}/g],
  ["sentry", /sntry[su]_[\w+/=-]{20,}/g],
  ["notion", /(?<![A-Za-z0-9])(?:ntn_[A-Za-z0-9]{20,}|secret_[A-Za-z0-9]{40,})/g],
  ["linear", /lin_(?:api|oauth|wh)_[A-Za-z0-9]{16,}/g],
  ["figma", /fig[duor]_[\w-]{20,}/g],
  ["postman", /PMA[KT]-[A-Za-z0-9-]{16,}/g],
  ["airtable", /(?<![A-Za-z0-9])pat[A-Za-z0-9]{14}\.[a-f0-9]{32,}/g],
  ["huggingface", /(?<![A-Za-z0-9])(?:hf|api_org)_[A-Za-z0-9]{20,}/g],
  ["replicate", /(?<![A-Za-z0-9])r8_[A-Za-z0-9]{20,}/g],
  ["databricks", /(?<![A-Za-z0-9])(?:dapi|dkea|dose)[a-f0-9]{32}(?:-\d)?/g],
  ["dynatrace", /dt0[a-z]\d{2}\.[A-Z0-9]{8,}(?:\.[A-Z0-9]{16,})?/g],
  ["doppler", /dp\.(?:pt|st|ct|sa|scim|audit)\.(?:[a-z0-9_-]{2,35}\.)?[A-Za-z0-9]{20,}/g],
  ["vercel", /(?<![A-Za-z0-9])vc[a-z]_[A-Za-z0-9]{20,}|vercel_blob_rw_\w{20,}/g],
  ["netlify", /nf[a-z]_[A-Za-z0-9]{30,}/g],
  ["heroku", /HRKU-[\w-]{20,}/g],
  ["flyio", /(?<![A-Za-z0-9])fm[12][ar]?_[\w+/=-]{30,}|FlyV1 [\w+/=,-]{30,}|fo1_[\w-]{30,}/g],
  ["artifactory", /AKCp\d?[A-Za-z0-9]{20,}|cmVmdGtuO[\w+/=]{40,}/g],
  ["planetscale", /pscale_(?:tkn|pw|oauth|otkn)_[\w.=-]{16,}/g],
  ["azure-devops", /(?<![A-Za-z0-9])[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}/g],
  ["asana", /(?<![\w/])[012]\/\d{10,}(?:\/\d{10,})?:[a-f0-9]{32}/g],
  ["mapbox", /(?<![\w.-])sk\.eyJ[\w-]{20,}\.[\w-]{16,}/g],
  ["dropbox", /(?<![\w.-])sl\.(?:u\.)?[\w-]{60,}/g],
  ["hubspot", /pat-[a-z]{2,3}\d-[a-f0-9]{8}-[a-f0-9-]{20,}/gi],
  ["launchdarkly", /(?<![A-Za-z0-9])(?:api|sdk|mob)-[a-f0-9]{8}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{12}/g],
  ["plaid", /access-(?:sandbox|development|production)-[a-f0-9]{8}-[a-f0-9-]{20,}/g],
  ["alibaba", /(?<![A-Za-z0-9])LTAI[A-Za-z0-9]{12,}/g],
  ["tencent", /(?<![A-Za-z0-9])AKID[A-Za-z0-9]{28,}/g],
  ["yandex", /(?<![A-Za-z0-9])(?:t1\.[A-Za-z0-9]\w{20,}=*|AQVN[\w-]{30,}|y[0-6]_[\w-]{40,})/g],
  ["age", /AGE-SECRET-KEY-1[A-Z0-9]{20,}/g],
  ["openshift", /sha256~[\w-]{30,}/g],
  ["kubernetes", /(?<![\w.-])(?=[a-z]{0,5}\d)[a-z0-9]{6}\.(?=[a-z]{0,15}\d)[a-z0-9]{16}(?![\w.-])/g],
  ["wireguard", /(?:PrivateKey|PresharedKey)[ \t]{0,4}=[ \t]{0,4}([A-Za-z0-9+/]{42,43}=)/g],
  ["1password", /ops_ey[\w=-]{40,}|(?<![A-Za-z0-9])A3-[A-Z0-9]{6}-[A-Z0-9-]{20,}/g],
  ["contentful", /CFPAT-[\w-]{20,}/g],
  ["asaas", /\$aact_\w{20,}/g],
  ["flutterwave", /FLW(?:SECK|PUBK)[\w-]{16,}/g],
  ["easypost", /EZ[AT]K[A-Za-z0-9]{40,}/g],
  ["adobe", /(?<![A-Za-z0-9])p8e-[A-Za-z0-9]{32}/gi],
  ["octopus", /(?<![A-Za-z0-9])API-[A-Z0-9]{25,}/g],
  [
    "password-hash",
    /\$2[abxy]?\$\d\d\$[\w./]{53}|\$(?:1|apr1)\$[\w./]{1,8}\$[\w./]{22}(?![\w./])|\$[56]\$(?:rounds=\d{1,9}\$)?[\w./]{1,16}\$(?:[\w./]{86}|[\w./]{43})(?![\w./])|\$y\$[\w./]{1,8}\$[\w./]{8,64}\$[\w./]{43}|\$argon2(?:id?|d)\$v=\d{1,3}\$[\w=,]{1,40}\$[\w+/]{8,64}\$[\w+/]{16,}/g
  ],
  ["supabase", /sb_secret_[\w-]{20,}/g],
  ["snyk", /snyk_[a-z]{2,4}\.[\w.-]{20,}/g],
  ["cloudflare", /v1\.0-[a-f0-9]{24}-[a-f0-9]{100,}/g],
  ["frameio", /fio-u-[\w-]{30,}/g],
  ["resend", /(?<![A-Za-z0-9_])re_[A-Za-z0-9]{6,12}_[A-Za-z0-9]{20,}/g],
  ["pinecone", /(?<![A-Za-z0-9])pcsk_\w{30,}/g],
  ["langsmith", /(?<![A-Za-z0-9])lsv2_[a-z]{2}_[a-f0-9]{32}_[a-f0-9]{8,}/g],
  ["token", /(?<![A-Za-z0-9_.-])(?:fc|pul|xai|api|key|tok|tvly|pplx|sk|pk)-(?=[a-z]{0,30}\d)[a-f0-9]{32,64}(?![\w-])/g],
  ["connection", /(?:AccountKey|SharedAccessKey|SharedSecretValue)=([\w+/=%]{20,})/g]
];
var MARKED = /(?<![A-Za-z0-9_+/.=-])([A-Za-z][A-Za-z0-9]{0,12}(?:[_-][a-z0-9]{1,12}){0,3}[_-])([A-Za-z0-9]{20,}(?:[._-][A-Za-z0-9_-]{6,})?)(?![A-Za-z0-9+/=])/g;
var MARKED_LOW = /(?<![A-Za-z0-9_+/.=-])([a-z][a-z0-9]{1,9}(?:_[a-z]{1,8}){0,2}_)([a-z0-9]{32,})(?![\w.+/=-])/g;
var NO_VENDOR = /^(?:sha\d*|md5|git|hash|digest|etag|chunk|vendors?|index|main|bundle|app|page|build|commit|rev|tag|id|img|image|file|static|cache|trace|span|req|request|session|run|job|test|tmp|temp|cksum|checksum)[_-]/i;
var SCHEME = /(?<![\w-])(?:bearer|basic|token)[ \t]{1,4}([\w.~+/=-]{16,})/gi;
function shapedSecrets(text) {
  const spans = [];
  for (const [kind, pattern] of SHAPES) eachMatch(pattern, text, (match) => spans.push(spanOf(match, kind)));
  for (const pattern of [MARKED, MARKED_LOW]) {
    eachMatch(pattern, text, (match) => {
      const [whole, mark = "", body = ""] = match;
      const isMixed = pattern === MARKED_LOW || /[a-z]/.test(body) && /[A-Z]/.test(body);
      if (!NO_VENDOR.test(mark) && isMixed && looksRandom(body, 20)) {
        spans.push({ start: match.index, end: match.index + whole.length, kind: "token" });
      }
    });
  }
  eachMatch(SCHEME, text, (match) => {
    if (looksRandom(match[1] ?? "")) spans.push(spanOf(match, "token"));
  });
  return spans;
}
function spanOf(match, kind) {
  const [whole, inner] = match;
  const end = match.index + whole.length;
  return { start: inner === void 0 ? match.index : end - inner.length, end, kind };
}

// src/core/redact/span.ts
function merged(spans) {
  const sorted = spans.map((span, rank) => ({ span, rank })).filter(({ span }) => span.end > span.start).sort((a, b) => a.span.start - b.span.start || a.rank - b.rank);
  const result = [];
  let bestRank = Number.POSITIVE_INFINITY;
  for (const { span, rank } of sorted) {
    const last = result.at(-1);
    if (last === void 0 || span.start >= last.end) {
      result.push(span);
      bestRank = rank;
      continue;
    }
    const kind = rank < bestRank ? span.kind : last.kind;
    const isSame = span.start === last.start && span.end === last.end;
    const of = isSame ? last.of ?? span.of : span.end <= last.end ? last.of : void 0;
    bestRank = Math.min(bestRank, rank);
    result[result.length - 1] = {
      start: last.start,
      end: Math.max(last.end, span.end),
      kind,
      ...of === void 0 ? {} : { of }
    };
  }
  return result;
}

// src/core/redact/urls.ts
var AFTER = /* @__PURE__ */ new Set([
  " ",
  "	",
  "\n",
  "\r",
  '"',
  "'",
  "`",
  "<",
  ">",
  "/",
  "?",
  "#",
  "(",
  ")",
  "{",
  "}",
  "|",
  ";",
  "$",
  "\\"
]);
function urlSecrets(text) {
  const spans = [];
  for (let at = text.indexOf("://"); at >= 0; at = text.indexOf("://", at + 3)) {
    const from = at + 3;
    let colon = -1;
    let until = from;
    let sign = -1;
    for (; until < text.length && !AFTER.has(text[until] ?? ""); until += 1) {
      if (text[until] === ":" && colon < 0) colon = until;
      if (text[until] === "@") sign = until;
    }
    if (sign < 0) continue;
    spans.push(...userSecrets(text, from, colon >= 0 && colon < sign ? colon : sign, sign));
  }
  return [...spans, ...sourceNames(text)];
}
function userSecrets(text, from, colon, sign) {
  const user = text.slice(from, colon);
  const password = text.slice(colon + 1, sign);
  const spans = [];
  if (looksRandom(user, 20)) spans.push({ start: from, end: colon, kind: "token" });
  if (colon < sign && !isPlaceholder(password)) spans.push({ start: colon + 1, end: sign, kind: "password" });
  return spans;
}
var SOURCE = /(?<![\w.-])[\w.-]{1,64}[:/]([^\s:/@'"`()$<>|;]{1,128})@(?=(?:tcp|unix|udp)\(|\/\/)/g;
function sourceNames(text) {
  const spans = [];
  eachMatch(SOURCE, text, ({ 0: whole, 1: password = "", index }) => {
    const end = index + whole.length - 1;
    spans.push({ start: end - password.length, end, kind: "password" });
  });
  return spans;
}

// src/core/redact/redactor.ts
var MASK = /\[secret:[a-z0-9-]{1,30}#(\d{1,6})\]/g;
function createRedactor({ known = [], locate = () => [] } = {}) {
  const knownSecrets = createKnownSecrets(known);
  const certain = (text) => [...privateKeys(text), ...shapedSecrets(text), ...knownSecrets(text)];
  const every = (text) => [
    ...certain(text),
    ...urlSecrets(text),
    ...locate(text),
    ...assignedSecrets(text),
    ...announcedSecrets(text)
  ];
  const card = (inUse) => {
    const numbers = /* @__PURE__ */ new Map();
    let last = 0;
    const reserve = (text) => {
      for (const [, number = "0"] of text.matchAll(MASK)) last = Math.max(last, Number(number));
    };
    const numberOf = (secret) => {
      const number = numbers.get(secret) ?? last + 1;
      numbers.set(secret, number);
      last = Math.max(last, number);
      return number;
    };
    const mask = (text, spans) => {
      let masked = "";
      let at = 0;
      for (const { start, end, kind, of = text.slice(start, end) } of outsideMasks(text, merged(spans))) {
        masked += `${text.slice(at, start)}[secret:${kind}#${numberOf(of)}]`;
        at = end;
      }
      return masked + text.slice(at);
    };
    const masker = {
      text: (text) => mask(text, every(text)),
      name: (text) => mask(text, certain(text)),
      all: (value) => mapTexts(value, masker.text)
    };
    mapTexts(inUse, (text) => {
      reserve(text);
      return text;
    });
    return masker;
  };
  return { card, text: (text) => card(text).text(text) };
}
function outsideMasks(text, spans) {
  if (spans.length === 0 || !text.includes("[secret:")) return spans;
  const masks = [...text.matchAll(MASK)].map(({ index, 0: whole }) => ({ start: index, end: index + whole.length }));
  let next = 0;
  return spans.flatMap((span) => {
    while (next < masks.length && (masks[next]?.end ?? 0) <= span.start) next += 1;
    const pieces = [];
    let start = span.start;
    for (let index = next; index < masks.length; index += 1) {
      const mask = masks[index];
      if (mask === void 0 || mask.start >= span.end) break;
      if (mask.start > start) pieces.push({ start, end: mask.start, kind: span.kind });
      start = mask.end;
    }
    if (start === span.start) return [span];
    return start < span.end ? [...pieces, { start, end: span.end, kind: span.kind }] : pieces;
  });
}
function mapTexts(value, map) {
  if (typeof value === "string") return map(value);
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, map));
  if (typeof value !== "object" || value === null) return value;
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, mapTexts(member, map)]));
}

// src/gate/effects/shell/limits.ts
var MAX_UNITS = 1e4;
var MAX_NESTING = 32;
function refusalToParse(text) {
  if (text.length > MAX_UNITS) return { reason: `longer than ${MAX_UNITS} characters`, tag: "too-large" };
  if (nesting(text) > MAX_NESTING) return { reason: `nested deeper than ${MAX_NESTING} levels`, tag: "too-large" };
  if (hiddenCharacter.test(text)) return { reason: "a control or invisible character", tag: "unicode" };
  return void 0;
}
var hiddenCharacter = /(?![\n\t ])[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/u;
function nesting(text) {
  let depth = 0;
  let deepest = 0;
  for (const character of text) {
    if (character === "(" || character === "{") deepest = Math.max(deepest, ++depth);
    else if ((character === ")" || character === "}") && depth > 0) depth -= 1;
  }
  return Math.max(deepest, (text.match(/`/g)?.length ?? 0) / 2 > MAX_NESTING ? MAX_NESTING + 1 : 0);
}

// src/gate/effects/shell/parse.ts
import { forEachChild, parse } from "unbash";
var MAX_COMMANDS = 200;
function parseShell(text) {
  try {
    const script = parse(text);
    return faultIn(script) ?? { script };
  } catch (thrown) {
    return { fault: `it cannot be parsed (${thrown instanceof Error ? thrown.message : String(thrown)})` };
  }
}
function faultIn(script) {
  let commands = 0;
  let fault;
  const visit = (node) => {
    if (fault !== void 0) return;
    if (node.type === "Script") {
      const [error] = node.errors ?? [];
      if (error !== void 0) fault = `it cannot be parsed (${error.message})`;
    }
    if (node.type === "Command") commands += 1;
    if (node.type === "HereDoc" && node.closing === void 0) fault = "a here-document has no end";
    if (commands > MAX_COMMANDS) fault = `more than ${MAX_COMMANDS} commands`;
    forEachChild(node, visit);
  };
  visit(script);
  return fault === void 0 ? void 0 : { fault };
}

// src/gate/redact/loose-words.ts
var TOKENS = /'[^'\n]*'|"(?:[^"\\\n]|\\.)*"|\\.|[|;&()`\n]|[^\s'"\\|;&()`]+|[^\S\n]+|./g;
function looseCommands(text) {
  const commands = [];
  let words = [];
  let word;
  const endWord = () => {
    const [first] = word?.pieces ?? [];
    const last = word?.pieces.at(-1);
    if (word !== void 0 && first !== void 0 && last !== void 0)
      words.push({ ...word, start: first.start, end: last.end });
    word = void 0;
  };
  const endCommand = () => {
    endWord();
    if (words.length > 0) commands.push(words);
    words = [];
  };
  for (const { 0: token, index } of text.matchAll(TOKENS)) {
    if (/^[|;&()`\n]$/.test(token)) {
      endCommand();
      continue;
    }
    if (/^\s/.test(token)) {
      endWord();
      continue;
    }
    const inside = token.length > 1 && (token.startsWith("'") || token.startsWith('"')) ? 1 : 0;
    const escaping = token.length > 1 && token.startsWith("\\") ? 1 : 0;
    const [start, end] = [index + inside + escaping, index + token.length - inside];
    const value = text.slice(start, end);
    word ??= { text: "", pieces: [] };
    const dynamic = token.startsWith("'") ? -1 : value.search(/\$[A-Za-z_({]/);
    if (dynamic >= 0) {
      if (dynamic > 0) word.pieces.push({ start, end: start + dynamic, value: value.slice(0, dynamic) });
      word.text += `${value.slice(0, dynamic)}\0`;
      continue;
    }
    word.pieces.push({ start, end, value });
    word.text += value;
  }
  endCommand();
  return commands;
}

// src/gate/redact/programs.ts
var byName = /* @__PURE__ */ new Map();
function uses(names, ...rules) {
  for (const name of names.split(" ")) byName.set(name, [...byName.get(name) ?? [], ...rules]);
}
function secretUses(program) {
  return byName.get(program);
}
uses("mysql mysqldump mysqladmin mysqlimport mysqlcheck mysqlshow mysqlsh mysqlpump mycli", {
  glued: ["-p"],
  asks: true
});
uses("mariadb mariadb-dump mariadb-admin mariadb-import mariadb-check xtrabackup mariabackup", {
  glued: ["-p"],
  asks: true
});
uses("psql pg_dump pg_dumpall pg_restore pg_basebackup createdb dropdb createuser dropuser vacuumdb pgbench", {
  asks: true
});
uses("ansible ansible-playbook", { asks: true });
uses("mongo mongosh mongodump mongorestore mongoexport mongoimport mongostat mongotop mongofiles", { options: ["-p"] });
uses("redis-cli valkey-cli keydb-cli redis-benchmark", { options: ["-a", "--pass"] });
uses("sshpass", { options: ["-p"], glued: ["-p"] });
uses("zip unzip zipcloak", { options: ["-P"], glued: ["-P"] });
uses("7z 7za 7zr 7zz rar unrar", { glued: ["-p", "-hp"] });
uses("docker podman nerdctl buildah crane oras cosign helm", { after: ["login"], options: ["-p"], glued: ["-p"] });
uses(
  "skopeo buildah podman",
  { pairs: ["--creds", "--src-creds", "--dest-creds"] },
  { after: ["login"], options: ["-p"] }
);
uses("az", { after: ["login"], options: ["-p"] }, { after: ["keyvault", "secret", "set"], options: ["--value"] });
uses("oc", { after: ["login"], options: ["-p"] });
uses("kubectl oc k", { after: ["create", "secret"], settings: ["--from-literal"] });
uses("curl", {
  pairs: ["-u", "--user", "-U", "--proxy-user", "-E", "--cert", "--proxy-cert"],
  cookies: ["-b", "--cookie"],
  options: ["--oauth2-bearer", "--pass", "--proxy-pass", "--tlspassword"]
});
uses("http https xh xhs", { pairs: ["-a", "--auth"] });
uses("ab", { pairs: ["-A", "-P"] });
uses("etcdctl", { pairs: ["--user"] });
uses("lftp", { pairs: ["-u"], separator: "," });
uses("smbclient rpcclient smbget smbmap net", { pairs: ["-U", "--user"], separator: "%" });
uses("ldapsearch ldapadd ldapmodify ldapdelete ldapwhoami ldapcompare", { options: ["-w"], glued: ["-w"] });
uses("ldappasswd", { options: ["-w", "-s", "-a"] });
uses("ipmitool sqlcmd bcp osql isql tsql mosquitto_pub mosquitto_sub", { options: ["-P", "--pw"], glued: ["-P"] });
uses("snmpwalk snmpget snmpset snmpbulkwalk", { options: ["-A", "-X"] });
uses("sqlplus sqlldr expdp impdp exp imp", { operands: [1], separator: "/" });
uses("beeline cqlsh cypher-shell couchbase-cli cbq rabbitmqadmin rdesktop evil-winrm crackmapexec netexec nxc ncftp", {
  options: ["-p"]
});
uses("influx", { options: ["-t", "-p"] });
uses("rabbitmqctl", { after: ["add_user"], operands: [2] }, { after: ["change_password"], operands: [2] });
uses("vault bao", { after: ["login"], operands: [1] }, { after: ["kv", "put"], settings: true });
uses("vault bao", { after: ["kv", "patch"], settings: true }, { after: ["write"], settings: true });
uses("gh", { after: ["secret", "set"], options: ["-b", "--body"], glued: ["-b"] });
uses("glab", { after: ["variable", "set"], options: ["-v", "--value"], operands: [2] });
uses("fly flyctl", { after: ["secrets", "set"], settings: true }, { options: ["-t"] });
uses("supabase", { after: ["secrets", "set"], settings: true });
uses("aws", { after: ["configure", "set"], named: true }, { after: ["ssm", "put-parameter"], options: ["--value"] });
uses(
  "npm pnpm yarn git poetry pip pip3 gcloud snow",
  { after: ["config", "set"], named: true },
  { after: ["config"], named: true }
);
uses("npm pnpm", { after: ["set"], named: true });
uses("pulumi", { after: ["config", "set"], named: true }, { after: ["config", "set", "--secret"], operands: [2] });
uses("twine", { options: ["-p"] });
uses("cargo", { after: ["login"], operands: [1] });
uses(
  "nuget",
  { options: ["-k", "-ApiKey"] },
  { after: ["setapikey"], operands: [1] },
  { after: ["push"], operands: [] }
);
uses("dotnet", { after: ["nuget", "push"], options: ["-k"] }, { after: ["user-secrets", "set"], operands: [2] });
uses("openssl", { options: ["-k", "-K"] }, { after: ["passwd"], operands: [1] });
uses("ssh-keygen", { options: ["-N", "-P"] });
uses("ngrok", { after: ["authtoken"], operands: [1] }, { after: ["config", "add-authtoken"], operands: [1] });
uses("doctl vercel now codecov", { options: ["-t"] });
uses("snyk", { after: ["auth"], operands: [1] });
uses("mc", { after: ["alias", "set"], operands: [3, 4] }, { after: ["config", "host", "add"], operands: [3, 4] });
uses("wpa_passphrase", { operands: [2] });
uses("useradd usermod", { options: ["-p"] });
uses("swaks", { options: ["-ap"] });
uses("sendemail", { options: ["-xp"] });
uses("ansible-vault", { after: ["encrypt_string"], operands: [1] });
uses("bw", { after: ["unlock"], operands: [1] }, { after: ["login"], operands: [2] });
uses(
  "security",
  { after: ["add-generic-password"], options: ["-w"] },
  { after: ["add-internet-password"], options: ["-w"] }
);
uses("security", { after: ["unlock-keychain"], options: ["-p"] }, { after: ["import"], options: ["-P"] });
uses(
  "htpasswd",
  { after: ["-b"], operands: [3] },
  { after: ["-bc"], operands: [3] },
  { after: ["-cb"], operands: [3] }
);
uses(
  "htpasswd",
  { after: ["-nb"], operands: [2] },
  { after: ["-bn"], operands: [2] },
  { after: ["-nbB"], operands: [2] }
);
uses("heroku", { after: ["config:set"], settings: true });

// src/gate/redact/word.ts
var PUT_IN = "\0";
function placed(word, source) {
  const pieces = [];
  let text = "";
  const add = (start, end, value) => {
    pieces.push({ start, end, value });
    text += value;
  };
  const visit = (part) => {
    if (source.slice(part.pos, part.end) !== part.text) text += PUT_IN;
    else if (part.type === "DoubleQuoted" || part.type === "LocaleString") part.parts.forEach(visit);
    else if (part.type === "SingleQuoted") add(part.pos + 1, part.end - 1, part.value);
    else if (part.type === "AnsiCQuoted") add(part.pos + 2, part.end - 1, part.value);
    else if (part.type === "Literal" || part.type === "Glob") add(part.pos, part.end, part.value);
    else if (part.type === "BraceExpansion" || part.type === "ExtendedGlob") add(part.pos, part.end, part.text);
    else text += PUT_IN;
  };
  if (word.parts !== void 0) word.parts.forEach(visit);
  else if (source.slice(word.pos, word.end) === word.text) add(word.pos, word.end, word.value);
  return { text, pieces, start: word.pos, end: word.end };
}
function spansIn(word, kind, from = 0, to = word.text.length) {
  const spans = [];
  let at = 0;
  let rest = word.text;
  for (const { start, end, value } of word.pieces) {
    while (rest.startsWith(PUT_IN) && !value.startsWith(PUT_IN)) {
      rest = rest.slice(1);
      at += 1;
    }
    const isVerbatim = end - start === value.length;
    const first = Math.max(0, from - at);
    const last = Math.min(value.length, to - at);
    if (first < last) {
      const skipped = isVerbatim ? first : Math.min(first, end - start);
      spans.push({ start: start + skipped, end: isVerbatim ? start + last : end, kind });
    }
    at += value.length;
    rest = rest.slice(value.length);
  }
  return spans;
}

// src/gate/redact/secret-positions.ts
var MOST_DEPTH = 2;
function secretPositions(text) {
  return positionsIn(text, 0, 0);
}
function positionsIn(text, shift, depth) {
  const commands = commandsIn(text);
  const spans = commands.flatMap(({ words, feeds }) => [
    ...words.flatMap(
      (_, index) => index === 0 || secretUses(nameOf(words[index])) !== void 0 ? ofProgram(words, index, text) : []
    ),
    ...words.flatMap((word, index) => index === 0 ? [] : ofOption(words, word, index)),
    ...words.flatMap((word) => ofAssignment(word)),
    ...feeds ? ofProducer(words) : [],
    ...words.flatMap((word) => ofQuoted(word, text, depth))
  ]);
  return spans.map((span) => ({ ...span, start: span.start + shift, end: span.end + shift }));
}
function commandsIn(text) {
  const parsed = refusalToParse(text) === void 0 ? parseShell(text) : { fault: "refused" };
  if ("fault" in parsed) return looseCommands(text).map((words) => ({ words, feeds: false }));
  const feeding = /* @__PURE__ */ new Set();
  const commands = [];
  const visit = (node) => {
    if (node.type === "Pipeline") {
      node.commands.forEach((command, index) => {
        const next = node.commands[index + 1];
        if (command.type === "Command" && next?.type === "Command" && readsSecret(wordsOf2(next, text)))
          feeding.add(command);
      });
    }
    if (node.type === "Command") {
      commands.push({ words: wordsOf2(node, text), feeds: feeding.has(node) });
      const typed = node.redirects.flatMap(
        (one) => one.type === "HereString" && one.target ? [placed(one.target, text)] : []
      );
      if (typed.length > 0 && readsSecret(wordsOf2(node, text))) commands.push({ words: [ECHO, ...typed], feeds: true });
    }
    forEachChild(node, visit);
  };
  visit(parsed.script);
  return commands;
}
var ECHO = { text: "echo", pieces: [], start: 0, end: 0 };
function wordsOf2(command, text) {
  const assigned2 = [...command.prefix, ...command.args].flatMap((one) => one.type === "Assignment" ? [one] : []);
  const whole = (one) => {
    if (one.value.type !== "Word") return void 0;
    const value = placed(one.value, text);
    const name = text.slice(one.pos, one.value.pos);
    return {
      text: name + value.text,
      pieces: [{ start: one.pos, end: one.value.pos, value: name }, ...value.pieces],
      start: one.pos,
      end: one.end
    };
  };
  const prefix = command.prefix.flatMap((one) => one.type === "Assignment" ? whole(one) ?? [] : []);
  const args = command.args.flatMap((one) => one.type === "Assignment" ? whole(one) ?? [] : [placed(one, text)]);
  return [...command.name === void 0 ? [] : [placed(command.name, text)], ...args, ...prefix];
}
function nameOf(word) {
  return (word?.text ?? "").replace(/^.*\//s, "").replace(/\.exe$/, "");
}
var READS_SECRET = /^(?:chpasswd|smbpasswd|passwd|cryptsetup)$/;
function readsSecret(words) {
  const texts = words.map(({ text }) => text);
  const names = words.map(nameOf);
  if (texts.some((text) => /^--?(?:password|passphrase|token|pass|secret)-?(?:stdin|fd)\b|^--with-token$/.test(text)))
    return true;
  if (names.some((name) => READS_SECRET.test(name))) return true;
  if (names.includes("sudo") && texts.some((text) => /^-[A-Za-z]*S/.test(text) || text === "--stdin")) return true;
  return /^(?:gh secret set|wrangler secret put|vault login -|ssh-add -|doctl auth init|vercel env add)\b/.test(
    texts.join(" ")
  ) || /\bsecret (?:put|set)\b/.test(texts.slice(0, 4).join(" "));
}
function ofProducer([name, ...words]) {
  if (!/^(?:echo|printf)$/.test(nameOf(name))) return [];
  return words.flatMap((word) => {
    if (/^-[neE]+$/.test(word.text) || /^%\w|^%s\\n$/.test(word.text)) return [];
    const colon = /^[a-z_][\w-]{0,31}:/.exec(word.text)?.[0].length ?? 0;
    return isPlaceholder(word.text) ? [] : spansIn(word, "password", colon);
  });
}
function ofProgram(words, index, text) {
  const rules = secretUses(nameOf(words[index])) ?? [];
  const rest = words.slice(index + 1);
  return rules.flatMap((rule) => {
    const from = afterWords(rest, rule.after ?? []);
    return from < 0 ? [] : ofRule(rule, rest, rest.slice(from), text);
  });
}
function afterWords(words, wanted) {
  let next = 0;
  if (wanted.length === 0) return 0;
  for (const [index, { text }] of words.entries()) {
    if (text === wanted[next]) next += 1;
    if (next === wanted.length) return index + 1;
  }
  return -1;
}
function ofRule(rule, all, rest, text) {
  const spans = [];
  const { options = [], glued = [], pairs = [], cookies = [], operands = [], separator = ":", settings } = rule;
  for (const [index, word] of all.entries()) {
    for (const option of options)
      spans.push(...optionValue(all, index, option).flatMap(({ of, from }) => secretIn(of, from)));
    for (const option of glued)
      if (word.text.startsWith(option) && word.text.length > option.length)
        spans.push(...secretIn(word, option.length));
    for (const option of pairs) {
      const isGlued = option.length === 2 && word.text.startsWith(option) && word.text.length > 2;
      if (isGlued) spans.push(...pairIn(word, 2, separator));
    }
    for (const option of pairs)
      spans.push(...optionValue(all, index, option).flatMap(({ of, from }) => pairIn(of, from, separator)));
    for (const option of cookies)
      spans.push(
        ...optionValue(all, index, option).flatMap(
          ({ of }) => of.pieces.flatMap(({ start, end }) => cookieSecrets(text, start, end))
        )
      );
    if (Array.isArray(settings)) {
      for (const option of settings)
        spans.push(...optionValue(all, index, option).flatMap(({ of, from }) => settingIn(of, from)));
    }
  }
  const plain2 = rest.filter(({ text: word }) => !word.startsWith("-"));
  for (const number of operands) {
    const word = plain2[number - 1];
    if (word !== void 0) spans.push(...separator === "/" ? pairIn(word, 0, "/") : secretIn(word, 0));
  }
  if (rule.named === true) {
    const [name, value] = plain2;
    if (name !== void 0 && value !== void 0 && isTelling(name.text)) spans.push(...secretIn(value, 0));
  }
  if (settings === true) for (const word of plain2) spans.push(...settingIn(word, 0));
  return spans;
}
function isTelling(name) {
  const suspicion = suspicionOf(name.replace(/^.*[:.]/, "")) ?? suspicionOf(name);
  return suspicion === "surely" || suspicion === "likely" || /^(?:pypi-token\.|.*:_auth$)/.test(name);
}
function optionValue(words, index, option) {
  const word = words[index];
  if (word === void 0) return [];
  if (word.text === option) {
    const next = words[index + 1];
    return next === void 0 || next.text.startsWith("-") && !/^-.{6,}\d/.test(next.text) ? [] : [{ of: next, from: 0 }];
  }
  if (!word.text.startsWith(option)) return [];
  if (word.text[option.length] === "=") return [{ of: word, from: option.length + 1 }];
  return [];
}
function secretIn(word, from) {
  const value = word.text.slice(from);
  if (value === "" || isPlaceholder(value) || isPath(value) || value.includes("://")) return [];
  if (/^(?:file|env|fd|stdin):/.test(value)) return [];
  return spansIn(word, "password", from + (value.startsWith("pass:") ? 5 : 0));
}
function pairIn(word, from, separator) {
  const at = word.text.indexOf(separator, from);
  if (at < 0 || at === word.text.length - 1 || word.text.includes("://")) return [];
  const until = separator === "/" ? word.text.indexOf("@", at) : -1;
  return spansIn(word, "password", at + 1, until < 0 ? void 0 : until);
}
function settingIn(word, from) {
  const sign = word.text.indexOf("=", from);
  return sign < 0 || word.text.startsWith("@", sign + 1) ? [] : secretIn(word, sign + 1);
}
function ofOption(words, word, index) {
  const [, name] = /^--?([A-Za-z][\w.-]*)$/.exec(word.text) ?? [];
  const next = words[index + 1];
  if (name === void 0 || next === void 0 || next.text.startsWith("-")) return [];
  if (word.text.startsWith("-") && !word.text.startsWith("--") && name.length < 4) return [];
  if (/^(?:no|ask|with|use|prompt|skip|print|show|list|is|has|require|generate|rotate)-/.test(name) || secretUses(nameOf(words[0]))?.some(({ asks }) => asks))
    return [];
  if (name === "secret" && (!isNoWord(next.text) || /^\w+=/.test(next.text))) return [];
  return worthyOf(name, next.text) ? secretIn(next, 0).map((span) => ({ ...span, kind: kindOf(name) })) : [];
}
function ofAssignment(word) {
  const [whole, name] = /^-{0,2}([\w.-]+)\+?=/.exec(word.text) ?? [];
  if (whole === void 0 || name === void 0) return [];
  const value = word.text.slice(whole.length);
  const isOneOfMany = /\s/.test(value) && (word.pieces[0]?.value.length ?? 0) > whole.length;
  if (isOneOfMany || /[,;&][\w.-]+=/.test(value) || !worthyOf(name, value)) return [];
  return secretIn(word, whole.length).map((span) => ({ ...span, kind: kindOf(name) }));
}
function worthyOf(name, value) {
  const suspicion = suspicionOf(name);
  if (suspicion === "surely") return !/^\d{1,3}$/.test(value) && !(/^\d+$/.test(value) && /token/i.test(name));
  return suspicion === "likely" ? isNoWord(value) : suspicion === "maybe" && looksMade(value);
}
function ofQuoted(word, text, depth) {
  if (depth >= MOST_DEPTH) return [];
  return word.pieces.flatMap(({ start, end }) => {
    const inner = text.slice(start, end);
    return /\S\s+\S/.test(inner) && inner.length < text.length ? positionsIn(inner, start, depth + 1) : [];
  });
}

// ../../worst.mts
var seeds = ["a", "A", "1", "ey", "eyJ", "eyJa.", "-", "_", ".", "sk-", "sk-a", "sk-proj-", "ghp_", "xoxb-", "-----BEGIN PRIVATE KEY-----", "-----BEGIN RSA PRIVATE KEY-----\n", "-----BEGIN", "password=", 'password="', "password='", "token: ", '"', "'", "`", "\\", '\\"', "\\n", "$", "$(", "${", "://", "://a:b@", "http://a:", "a:b@", "--password ", "--p", "Authorization: ", "Authorization: Bearer ", "Cookie: a=b;", "cookie:", "a=", "=;", "&a=", "?token=", "<a>", "<password>", "[secret:a#1]", "[secret:", "user:pass@tcp(", "a.b.", "A1b2", "aB1-", "aB1_", "M.", "identified by '", "password '", "mysql -p", "mysql ", "docker login ", "zip -P ", "echo x | ", "a'b", "(", ")", "[", "{", '{"a":', "\n", "\n\n", " ", "	", "a ", "a: ", "0/1", "s.", "Private-Lines: 1\n", "A3-", "EAAA", "x".repeat(31) + "-us", "aB3dE6gH9jK2mN5pQ8rS1tU4 ", "basic ", "token ", "password is ", "secret ", "-u a:", "sha256~", "dp.pt.", "v1.0-", "|", ";", "&", "<<EOF\n", "$1$", "$2a$10$", "/", "/a", "\xE9", "\u{1F600}", "\0", "-H 'Authorization: Bearer ", "://a@", "a@", "@", "//", "//:", "\\'", '=\\"', 'token=\\"', "a=\\", "\\\\", "t1.a", "vault login ", "A=1 ", ">", "<", ",", ", a=", "a=b,", "a,", "password=,", "password=a,"];
var r = createRedactor({ locate: secretPositions, known: Array.from({ length: 40 }, (_, i) => ({ value: "Known" + i + "Value!secret9" + i, kind: "env" })) });
var core = createRedactor({});
var N = 16384;
for (let i = 0; i < 30; i++) for (const s of seeds.slice(0, 40)) r.text(s.repeat(20));
var plain = (t) => {
  let h = 0;
  for (let i = 0; i < t.length; i++) {
    h = h * 31 + t.charCodeAt(i) | 0;
  }
  return h;
};
var base = Infinity;
for (let i = 0; i < 200; i++) {
  const t = performance.now();
  plain("abcdefghij".repeat(1639));
  base = Math.min(base, performance.now() - t);
}
console.log("base ms", base);
var m = (f) => {
  let best = Infinity;
  for (let i = 0; i < 3; i++) {
    const t = performance.now();
    f();
    best = Math.min(best, performance.now() - t);
  }
  return best;
};
var out = [];
for (const s of seeds) {
  const t = s.repeat(Math.ceil(N / s.length)).slice(0, N);
  const t4 = s.repeat(Math.ceil(4 * N / s.length)).slice(0, 4 * N);
  out.push([s, m(() => r.text(t)), m(() => core.text(t)), m(() => r.text(t4))]);
}
out.sort((a, b) => b[1] - a[1]);
for (const [s, a, c, d] of out.slice(0, 22)) console.log(JSON.stringify(s).slice(0, 40).padEnd(42), a.toFixed(2), "core", c.toFixed(2), "x4", d.toFixed(2), (d / a).toFixed(1));
console.log("worst growth");
out.sort((a, b) => b[3] / b[1] - a[3] / a[1]);
for (const [s, a, c, d] of out.slice(0, 12)) console.log(JSON.stringify(s).slice(0, 40).padEnd(42), a.toFixed(2), "x4", d.toFixed(2), (d / a).toFixed(1));
var prose = "The quick brown fox runs `npm test` and edits src/core/a.ts line 42; see https://example.com/a?b=c.\n".repeat(164);
console.log("prose", m(() => r.text(prose)), "core", m(() => core.text(prose)));
