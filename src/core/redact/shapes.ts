import { eachMatch } from './matching.ts';
import type { SecretSpan } from './span.ts';
import { looksRandom } from './values.ts';

/**
 * What the tokens of vendors look like, from their own documentation. Every pattern takes linear time on any text: one
 * run of a class after a fixed beginning, or several where the character before the beginning may not be of the first
 * run's class. Group 1, where there is one, is the secret; else all of it is.
 */
const SHAPES: readonly (readonly [kind: string, pattern: RegExp])[] = [
  ['github', /gh[pousr]_[A-Za-z0-9]{16,}|github_pat_\w{20,}/g],
  ['gitlab', /gl(?:pat|dt|rt|rtr|cbt|ptt|ft|imt|agent|oas|soat|ffct|wt)-[\w.=-]{16,}|GR1348941[\w-]{16,}/g],
  ['slack', /xox[abeoprs]-[\w.-]{8,}|xoxe\.xox[bp]-[\w-]{8,}|xapp-[\w-]{8,}|xwfp-[\w-]{8,}|xoxd-[\w%+/=-]{16,}/g],
  ['slack-webhook', /hooks\.slack(?:-gov)?\.com\/(?:services|workflows|triggers)\/([\w/-]{16,})/g],
  ['discord-webhook', /discord(?:app)?\.com\/api\/(?:v\d{1,2}\/)?webhooks\/\d{5,25}\/([\w-]{16,})/g],
  ['discord', /(?<![\w-])[MNO][\w-]{17,}\.[\w-]{5,7}\.[\w-]{25,}/g],
  ['discord', /(?<![\w-])mfa\.[\w-]{40,}/g],
  ['teams-webhook', /\.webhook\.office\.com\/webhookb2\/([\w@/-]{40,})/g],
  [
    'webhook',
    /(?:hooks\.zapier\.com\/hooks\/catch|hook(?:\.\w{2,4}\d?)?\.(?:make|integromat)\.com|chat\.googleapis\.com\/v1\/spaces\/[\w-]{4,40}\/messages\?key=|events\.pagerduty\.com\/integration|outlook\.office\.com\/webhook|maker\.ifttt\.com\/trigger\/\w{1,60}\/with\/key)\/?([\w@/-]{12,})/g,
  ],
  ['aws', /(?<![A-Z0-9])(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{12,20}(?![A-Za-z0-9])/g],
  ['aws', /(?<![\w+/])(?:ABSK[\w+/=]{60,}|bedrock-api-key-[\w+/=-]{30,}|(?:FwoGZXIvYXdz|IQoJb3JpZ2lu)[\w+/=%-]{40,})/g],
  [
    'google',
    /AIza[\w-]{30,}|GOCSPX-[\w-]{16,}|ya29\.[\w.-]{16,}|(?<![\w/])1\/\/0[\w-]{20,}|(?<![\w.-])AQ\.Ab[\w-]{30,}/g,
  ],
  ['anthropic', /sk-ant-[\w-]{16,}/g],
  ['openai', /(?<![A-Za-z0-9])sk-(?:proj|svcacct|admin|or-v1|None|lf)-[\w-]{16,}/g],
  ['api-key', /(?<![A-Za-z0-9])(?:sk|pk|rk|ak|key)-(?:[a-z]{2,10}-)?(?=[A-Za-z]{0,60}\d)[A-Za-z0-9]{20,}/g],
  ['stripe', /(?<![A-Za-z0-9])(?:sk|rk|pk)_(?:live|test|prod|org)_[A-Za-z0-9_]{10,}|whsec_[A-Za-z0-9+/=]{16,}/g],
  [
    'jwt',
    /(?<![\w-])ey[JIK][\w-]{8,}\.ey[\w-]{6,}(?:\.[\w-]*)?|(?<![\w-])eyJ[\w-]{8,}\.[\w-]{0,}\.[\w-]{6,}\.[\w-]{6,}\.[\w-]{6,}/g,
  ],
  ['npm', /npm_[A-Za-z0-9]{20,}/g],
  ['pypi', /pypi-[\w-]{30,}/g],
  ['rubygems', /rubygems_[a-f0-9]{24,}/g],
  ['nuget', /(?<![A-Za-z0-9])oy2[a-z0-9]{43}(?![A-Za-z0-9])/g],
  ['clojars', /CLOJARS_[A-Za-z0-9]{20,}/gi],
  ['crates', /(?<![A-Za-z0-9])cio[A-Za-z0-9]{32}(?![A-Za-z0-9])/g],
  ['docker', /dckr_[a-z]{2,4}_[\w-]{16,}/g],
  ['vault', /(?<![\w.-])(?:hv[sbr]\.[\w-]{16,}|[sbr]\.(?=[A-Za-z]{0,23}\d)[A-Za-z0-9]{24}(?![\w.-]))/g],
  ['terraform', /(?<![A-Za-z0-9])[A-Za-z0-9]{14}\.atlasv1\.[\w-]{40,}/g],
  ['digitalocean', /do[opr]_v1_[a-f0-9]{32,}/g],
  ['tailscale', /tskey-(?:[a-z]+-)?[\w-]{12,}/g],
  ['telegram', /(?<![A-Za-z0-9])(?:bot)?\d{7,11}:AA[\w-]{30,}/g],
  ['sendgrid', /(?<![\w.-])SG\.[\w-]{10,}\.[\w-]{10,}/g],
  ['twilio', /(?<![A-Za-z0-9])SK[a-f0-9]{32}(?![A-Za-z0-9])/g],
  ['mailchimp', /(?<![A-Za-z0-9])[a-f0-9]{32}-us\d{1,2}(?![A-Za-z0-9])/g],
  ['mailgun', /(?<![A-Za-z0-9])(?:key-[a-f0-9]{32}|[a-f0-9]{32}-[a-f0-9]{8}-[a-f0-9]{8})(?![A-Za-z0-9-])/g],
  ['brevo', /xkeysib-[a-f0-9]{16,}(?:-\w{8,})?|xsmtpsib-[a-f0-9]{16,}(?:-\w{8,})?/g],
  ['square', /(?<![A-Za-z0-9])(?:sq0[a-z]{3}-[\w-]{20,}|EAAA[\w+=-]{50,})/g],
  ['facebook', /(?<![A-Za-z0-9])EAA[A-Za-z0-9]{60,}/g],
  ['shopify', /shp(?:at|ca|pa|ss|tka|ua)_[A-Za-z0-9]{20,}/g],
  ['azure', /(?<![\w~.-])[\w.-]{3,5}\dQ~[\w~.-]{30,}/g],
  ['azure', /(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{76}(?:\+AStA|APIM|ACDb)[A-Za-z0-9+/]{4,8}={0,2}/g],
  ['atlassian', /ATATT3[\w=+/-]{30,}|ATCTT3[\w=+/-]{30,}|ATBB[A-Za-z0-9]{24,}|ATTA[a-f0-9]{40,}|ATOA[\w-]{30,}/g],
  ['grafana', /gl(?:sa|c)_[A-Za-z0-9+/=_]{20,}|(?<![A-Za-z0-9])eyJrIjoi[A-Za-z0-9+/=]{30,}/g],
  ['newrelic', /NR(?:AK|II|IQ|AA|BR|RA)-[A-Za-z0-9-]{16,}|NRJS-[a-f0-9]{16,}/g],
  ['sentry', /sntry[su]_[\w+/=-]{20,}/g],
  ['notion', /(?<![A-Za-z0-9])(?:ntn_[A-Za-z0-9]{20,}|secret_[A-Za-z0-9]{40,})/g],
  ['linear', /lin_(?:api|oauth|wh)_[A-Za-z0-9]{16,}/g],
  ['figma', /fig[duor]_[\w-]{20,}/g],
  ['postman', /PMA[KT]-[A-Za-z0-9-]{16,}/g],
  ['airtable', /(?<![A-Za-z0-9])pat[A-Za-z0-9]{14}\.[a-f0-9]{32,}/g],
  ['huggingface', /(?<![A-Za-z0-9])(?:hf|api_org)_[A-Za-z0-9]{20,}/g],
  ['replicate', /(?<![A-Za-z0-9])r8_[A-Za-z0-9]{20,}/g],
  ['databricks', /(?<![A-Za-z0-9])(?:dapi|dkea|dose)[a-f0-9]{32}(?:-\d)?/g],
  ['dynatrace', /dt0[a-z]\d{2}\.[A-Z0-9]{8,}(?:\.[A-Z0-9]{16,})?/g],
  ['doppler', /dp\.(?:pt|st|ct|sa|scim|audit)\.(?:[a-z0-9_-]{2,35}\.)?[A-Za-z0-9]{20,}/g],
  ['vercel', /(?<![A-Za-z0-9])vc[a-z]_[A-Za-z0-9]{20,}|vercel_blob_rw_\w{20,}/g],
  ['netlify', /nf[a-z]_[A-Za-z0-9]{30,}/g],
  ['heroku', /HRKU-[\w-]{20,}/g],
  ['flyio', /(?<![A-Za-z0-9])fm[12][ar]?_[\w+/=-]{30,}|FlyV1 [\w+/=,-]{30,}|fo1_[\w-]{30,}/g],
  ['artifactory', /AKCp\d?[A-Za-z0-9]{20,}|cmVmdGtuO[\w+/=]{40,}/g],
  ['planetscale', /pscale_(?:tkn|pw|oauth|otkn)_[\w.=-]{16,}/g],
  ['azure-devops', /(?<![A-Za-z0-9])[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}/g],
  ['asana', /(?<![\w/])[012]\/\d{10,}(?:\/\d{10,})?:[a-f0-9]{32}/g],
  ['mapbox', /(?<![\w.-])sk\.eyJ[\w-]{20,}\.[\w-]{16,}/g],
  ['dropbox', /(?<![\w.-])sl\.(?:u\.)?[\w-]{60,}/g],
  ['hubspot', /pat-[a-z]{2,3}\d-[a-f0-9]{8}-[a-f0-9-]{20,}/gi],
  ['launchdarkly', /(?<![A-Za-z0-9])(?:api|sdk|mob)-[a-f0-9]{8}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{12}/g],
  ['plaid', /access-(?:sandbox|development|production)-[a-f0-9]{8}-[a-f0-9-]{20,}/g],
  ['alibaba', /(?<![A-Za-z0-9])LTAI[A-Za-z0-9]{12,}/g],
  ['tencent', /(?<![A-Za-z0-9])AKID[A-Za-z0-9]{28,}/g],
  ['yandex', /(?<![A-Za-z0-9])(?:t1\.[A-Za-z0-9]\w{20,}=*|AQVN[\w-]{30,}|y[0-6]_[\w-]{40,})/g],
  ['age', /AGE-SECRET-KEY-1[A-Z0-9]{20,}/g],
  ['openshift', /sha256~[\w-]{30,}/g],
  ['kubernetes', /(?<![\w.-])(?=[a-z]{0,5}\d)[a-z0-9]{6}\.(?=[a-z]{0,15}\d)[a-z0-9]{16}(?![\w.-])/g],
  ['wireguard', /(?:PrivateKey|PresharedKey)[ \t]{0,4}=[ \t]{0,4}([A-Za-z0-9+/]{42,43}=)/g],
  ['1password', /ops_ey[\w=-]{40,}|(?<![A-Za-z0-9])A3-[A-Z0-9]{6}-[A-Z0-9-]{20,}/g],
  ['contentful', /CFPAT-[\w-]{20,}/g],
  ['asaas', /\$aact_\w{20,}/g],
  ['flutterwave', /FLW(?:SECK|PUBK)[\w-]{16,}/g],
  ['easypost', /EZ[AT]K[A-Za-z0-9]{40,}/g],
  ['adobe', /(?<![A-Za-z0-9])p8e-[A-Za-z0-9]{32}/gi],
  ['octopus', /(?<![A-Za-z0-9])API-[A-Z0-9]{25,}/g],
  [
    'password-hash',
    /\$2[abxy]?\$\d\d\$[\w./]{53}|\$(?:1|apr1)\$[\w./]{1,8}\$[\w./]{22}(?![\w./])|\$[56]\$(?:rounds=\d{1,9}\$)?[\w./]{1,16}\$(?:[\w./]{86}|[\w./]{43})(?![\w./])|\$y\$[\w./]{1,8}\$[\w./]{8,64}\$[\w./]{43}|\$argon2(?:id?|d)\$v=\d{1,3}\$[\w=,]{1,40}\$[\w+/]{8,64}\$[\w+/]{16,}/g,
  ],
  ['supabase', /sb_secret_[\w-]{20,}/g],
  ['snyk', /snyk_[a-z]{2,4}\.[\w.-]{20,}/g],
  ['cloudflare', /v1\.0-[a-f0-9]{24}-[a-f0-9]{100,}/g],
  ['frameio', /fio-u-[\w-]{30,}/g],
  ['resend', /(?<![A-Za-z0-9_])re_[A-Za-z0-9]{6,12}_[A-Za-z0-9]{20,}/g],
  ['pinecone', /(?<![A-Za-z0-9])pcsk_\w{30,}/g],
  ['langsmith', /(?<![A-Za-z0-9])lsv2_[a-z]{2}_[a-f0-9]{32}_[a-f0-9]{8,}/g],
  ['token', /(?<![A-Za-z0-9_.-])(?:fc|pul|xai|api|key|tok|tvly|pplx|sk|pk)-(?=[a-z]{0,30}\d)[a-f0-9]{32,64}(?![\w-])/g],
  ['connection', /(?:AccountKey|SharedAccessKey|SharedSecretValue)=([\w+/=%]{20,})/g],
];

/**
 * A short word, a line or two, and a long run of mixed letters and digits: how new vendors mark their tokens, so that they
 * can be found. `sha512-…`, names of built files and the like are not of mixed case, or are left out by name.
 */
const MARKED =
  /(?<![A-Za-z0-9_+/.=-])([A-Za-z][A-Za-z0-9]{0,12}(?:[_-][a-z0-9]{1,12}){0,3}[_-])([A-Za-z0-9]{20,}(?:[._-][A-Za-z0-9_-]{6,})?)(?![A-Za-z0-9+/=])/g;
/** The same in lower case: longer, only behind an underscore, and not the name of a file. */
const MARKED_LOW = /(?<![A-Za-z0-9_+/.=-])([a-z][a-z0-9]{1,9}(?:_[a-z]{1,8}){0,2}_)([a-z0-9]{32,})(?![\w.+/=-])/g;
const NO_VENDOR =
  /^(?:sha\d*|md5|git|hash|digest|etag|chunk|vendors?|index|main|bundle|app|page|build|commit|rev|tag|id|img|image|file|static|cache|trace|span|req|request|session|run|job|test|tmp|temp|cksum|checksum|toolu|call|msg|chatcmpl|resp|thread|asst|evt|event|cus|pi|ch|sub|price|prod|prompt)[_-]/i;

/** `Bearer …`, `Basic …` outside of any header. */
const SCHEME = /(?<![\w-])(?:bearer|basic|token)[ \t]{1,4}([\w.~+/=-]{16,})/gi;

/** Every piece of the text that is shaped like a secret. */
export function shapedSecrets(text: string): SecretSpan[] {
  const spans: SecretSpan[] = [];
  for (const [kind, pattern] of SHAPES) eachMatch(pattern, text, (match) => spans.push(spanOf(match, kind)));
  for (const pattern of [MARKED, MARKED_LOW]) {
    eachMatch(pattern, text, (match) => {
      const [whole, mark = '', body = ''] = match;
      const isMixed = pattern === MARKED_LOW || (/[a-z]/.test(body) && /[A-Z]/.test(body));
      if (!NO_VENDOR.test(mark) && isMixed && looksRandom(body, 20)) {
        spans.push({ start: match.index, end: match.index + whole.length, kind: 'token' });
      }
    });
  }
  eachMatch(SCHEME, text, (match) => {
    if (looksRandom(match[1] ?? '')) spans.push(spanOf(match, 'token'));
  });
  return spans;
}

function spanOf(match: RegExpExecArray, kind: string): SecretSpan {
  const [whole, inner] = match;
  const end = match.index + whole.length;
  // The secret is always the end of what is matched.
  return { start: inner === undefined ? match.index : end - inner.length, end, kind };
}
