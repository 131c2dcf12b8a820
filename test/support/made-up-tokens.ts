const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const DIGITS = '0123456789';
const MIXED = LETTERS + DIGITS;
const HEX = `${DIGITS}abcdef`;
const UPPER = `${LETTERS.slice(0, 26)}${DIGITS}`;
const LOWER = `${LETTERS.slice(26)}${DIGITS}`;
const WORD = `${MIXED}-_`;

/** The same "random" text for the same seed, so that a test that fails fails again. */
function body(length: number, alphabet: string, seed: number): string {
  let state = seed * 7_919 + 17;
  let text = '';
  while (text.length < length) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    text += alphabet[Math.floor((state / 2_147_483_648) * alphabet.length)] ?? '';
  }
  return text;
}

/** Beginning, alphabet and length of the tokens of vendors; put together only when the tests run. */
const FORMS: readonly (readonly [vendor: string, ...pieces: readonly (string | readonly [string, number])[]])[] = [
  ...['gh' + 'p', 'gh' + 'o', 'gh' + 'u', 'gh' + 's', 'gh' + 'r'].map(
    (start) => [start, `${start}_`, [MIXED, 36]] as const,
  ),
  ...['pat', 'dt', 'rt', 'ptt', 'soat', 'cbt'].map((end) => [`gl${end}`, `gl${end}-`, [WORD, 20]] as const),
  ...['b', 'p', 'a', 'r', 's'].map(
    (end) => [`xox${end}`, `xox${end}-`, [DIGITS, 12], '-', [DIGITS, 13], '-', [MIXED, 24]] as const,
  ),
  ['xapp', 'xap' + 'p-1-', [UPPER, 11], '-', [DIGITS, 13], '-', [HEX, 64]],
  ...['live', 'test'].flatMap((mode) =>
    ['s', 'r'].map((kind) => [`${kind}k ${mode}`, `${kind}k_${mode}_`, [MIXED, 24]] as const),
  ),
  ['stripe webhook', 'whse' + 'c_', [MIXED, 32]],
  ['google key', 'AI' + 'za', [WORD, 35]],
  ['google client', 'GOCSP' + 'X-', [WORD, 28]],
  ['google access', 'ya2' + '9.', [WORD, 60]],
  ['openai', 'sk' + '-', [MIXED, 20], 'T3BlbkFJ', [MIXED, 20]],
  ['openai project', 'sk' + '-proj-', [WORD, 74]],
  ['anthropic', 'sk' + '-ant-api03-', [WORD, 93], 'AA'],
  ['aws', 'AK' + 'IA', [LETTERS.slice(0, 26), 16]],
  ['aws session', 'AS' + 'IA', [LETTERS.slice(0, 26), 16]],
  ['sendgrid', 'S' + 'G.', [WORD, 22], '.', [WORD, 43]],
  ['twilio', 'S' + 'K', [HEX, 32]],
  ['mailgun', 'ke' + 'y-', [HEX, 32]],
  ['mailchimp', [HEX, 32], '-us14'],
  ['huggingface', 'h' + 'f_', [MIXED, 34]],
  ['npm', 'np' + 'm_', [MIXED, 36]],
  ['pypi', 'py' + 'pi-', [WORD, 90]],
  ['rubygems', 'ruby' + 'gems_', [HEX, 48]],
  ['digitalocean', 'do' + 'p_v1_', [HEX, 64]],
  ['shopify', 'shp' + 'at_', [HEX, 32]],
  ['square', 'sq0' + 'csp-', [WORD, 43]],
  ['databricks', 'dap' + 'i', [HEX, 32]],
  ['grafana', 'gls' + 'a_', [MIXED, 32], '_', [HEX, 8]],
  ['new relic', 'NRA' + 'K-', [UPPER, 27]],
  ['sentry', 'sntr' + 'ys_', [MIXED, 80]],
  ['notion', 'nt' + 'n_', [MIXED, 46]],
  ['linear', 'lin' + '_api_', [MIXED, 40]],
  ['figma', 'fig' + 'd_', [WORD, 40]],
  ['postman', 'PMA' + 'K-', [HEX, 24], '-', [HEX, 34]],
  ['airtable', 'pa' + 't', [MIXED, 14], '.', [HEX, 64]],
  ['doppler', 'dp' + '.pt.', [MIXED, 43]],
  ['vault', 'hv' + 's.', [WORD, 90]],
  ['terraform', [MIXED, 14], '.atlas' + 'v1.', [WORD, 65]],
  ['tailscale', 'tske' + 'y-auth-', [MIXED, 12], '-', [MIXED, 32]],
  ['telegram', [DIGITS.slice(1), 10], ':A' + 'A', [WORD, 33]],
  ['vercel', 'vc' + 'p_', [MIXED, 56]],
  ['netlify', 'nf' + 'p_', [MIXED, 36]],
  ['heroku', 'HRK' + 'U-AA', [WORD, 58]],
  ['planetscale', 'pscal' + 'e_tkn_', [WORD, 43]],
  ['supabase', 'sb' + 'p_', [HEX, 40]],
  ['replicate', 'r' + '8_', [MIXED, 37]],
  ['groq', 'gs' + 'k_', [MIXED, 52]],
  ['atlassian', 'ATAT' + 'T3xFf', [WORD, 180]],
  ['buildkite', 'bku' + 'a_', [HEX, 40]],
  ['sonar', 'sq' + 'p_', [HEX, 40]],
  ['age', 'AGE-SECRET' + '-KEY-1', [UPPER, 58]],
  ['hubspot', 'pat' + '-na1-', [HEX, 8], '-', [HEX, 4], '-', [HEX, 4], '-', [HEX, 4], '-', [HEX, 12]],
  ['discord', 'M', [MIXED, 25], '.', [MIXED, 6], '.', [WORD, 38]],
  ['jwt', 'ey' + 'J', [MIXED, 33], '.ey' + 'J', [MIXED, 60], '.', [WORD, 43]],
  ['docker', 'dckr' + '_pat_', [WORD, 27]],
  ['crates', 'ci' + 'o', [MIXED, 32]],
  ['nuget', 'oy' + '2', [LOWER, 43]],
  ['azure', [MIXED, 3], '8Q' + '~', [WORD, 34]],
  ['openshift', 'sha256' + '~', [WORD, 43]],
  ['nobody knows yet', 'acm' + 'e_live_', [MIXED, 40]],
];

/** Made-up tokens in the forms of vendors. */
export const madeUpTokens: readonly { readonly vendor: string; readonly token: string }[] = FORMS.map(
  ([vendor, ...pieces], index) => ({
    vendor,
    token: pieces
      .map((piece, at) => (typeof piece === 'string' ? piece : body(piece[1], piece[0], index * 31 + at)))
      .join(''),
  }),
);
