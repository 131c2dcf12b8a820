import { flags } from '../flags.ts';
import { always, type Judgement, READ, type Rule, unknown, worst } from '../rule.ts';
import type { Argument } from '../shell/argument.ts';
import { verbs } from '../verbs.ts';

const READ_FLAGS =
  '-R: -L: -s: -q: -t: -l: -a: -A: -S: -B: -H: -c -j: -w: -b: -e: -u: -F: -p: -P: --repo= --limit= --state= --json= --jq= --template= --label= --author= --assignee= --search= --base= --head= --comments --commit= --branch= --event= --user= --workflow= --status= ' +
  '--log --log-failed --verbose --exit-status --attempt= --job= --patch --name-only --color= --required --fail-fast --interval= --watch --app= --draft --milestone= --mention= --project= --created= --order= --sort= --owner= --language= --visibility= --topic= --fork --source --archived --no-archived --yaml --ref= --show-token -t --hostname= --raw --output= --page= --per-page= --all --closed --merged --group= --opened';

const lists = flags(
  { read: READ_FLAGS, unknown: '-w --web' },
  ({ values }) => (values.has('--show-token') ? { ...READ, tags: ['secret-read'] } : undefined),
  'network',
);
const changes = always('external', 'changes something others see', 'network');

function area(reads: string, more: Readonly<Record<string, Rule>> = {}): Rule {
  return verbs({ verbs: { [reads]: lists, ...more }, otherwise: changes });
}

/** `gh api`: GET unless a method, a field or a body says otherwise. */
const api: Rule = (args) => {
  let method: string | undefined;
  let hasBody = false;
  let path: string | undefined;
  const findings: Judgement[] = [];
  for (let at = 0; at < args.length; at += 1) {
    const { text, literal } = args[at] as Argument;
    const next = args[at + 1]?.text ?? '';
    if (/^(-X|--method)$/.test(text)) {
      method = args[at + 1]?.literal === true ? next : 'unknown';
      at += 1;
    } else if (/^(-X.+|--method=.*)$/.test(text)) method = text.replace(/^(-X=?|--method=)/, '');
    else if (/^(-f|-F|--field|--raw-field|--input)(=|$)/.test(text) || /^-[fF]./.test(text)) {
      hasBody = true;
      if (!text.includes('=') || /^-[fF]$/.test(text)) at += 1;
    } else if (/^(-q|--jq|-t|--template|-H|--header|--hostname|-p|--preview|--cache)$/.test(text)) at += 1;
    else if (
      /^(--jq=|--template=|--header=|--paginate$|--slurp$|-i$|--include$|--silent$|--verbose$|--cache=|--hostname=|-H.|-q.|-t.)/.test(
        text,
      )
    )
      continue;
    else if (text.startsWith('-'))
      findings.push({ effect: 'external', reason: `${text} may send something`, tags: ['network'] });
    else if (path === undefined) {
      path = text;
      if (!literal) findings.push(unknown('an address that is not known', 'dynamic'));
    }
  }
  const sends = method === undefined ? hasBody || path === 'graphql' : !/^(GET|HEAD|OPTIONS)$/i.test(method);
  return worst(
    sends
      ? { effect: 'external', reason: 'sends to the forge', tags: ['network'] }
      : { ...READ, reason: 'asks the forge', tags: ['network'] },
    ...findings,
  );
};

const GH_AREAS: Readonly<Record<string, Rule>> = {
  pr: area('list view status diff checks', { checkout: always('write', 'checks out a branch', 'network') }),
  issue: area('list view status', { develop: changes }),
  run: area('list view watch', { download: always('write', 'writes files', 'network') }),
  release: area('list view', { download: always('write', 'writes files', 'network') }),
  repo: area('list view', {
    clone: always('write', 'makes a directory', 'network'),
    'set-default': always('write', 'changes configuration'),
  }),
  'workflow cache label gist ruleset variable secret ssh-key gpg-key org project codespace attestation':
    area('list view check'),
  search: flags(
    {
      read: `${READ_FLAGS} --match= --updated= --stars= --followers= --size= --filename= --extension=`,
      unknown: '-w --web',
    },
    undefined,
    'network',
  ),
  auth: verbs({ verbs: { status: lists, token: always('read', 'prints a token', 'secret-read') }, otherwise: changes }),
  api,
  alias: verbs({
    verbs: {
      list: lists,
      'set import': (args, shell) =>
        worst(
          { effect: 'write', reason: 'changes what a command means', tags: ['persistence'] },
          ...args
            .filter(({ text }) => /\s/.test(text))
            .map(({ text }) => shell.judgeScript(text.replace(/^!/, '')))
            .filter(({ effect }) => effect === 'external'),
        ),
    },
    otherwise: always('write', 'changes configuration'),
  }),
  'extension ext extensions': verbs({
    verbs: { 'list search browse': lists, exec: always('unknown', 'runs code of others', 'code-exec') },
    otherwise: always('write', 'installs code of others', 'code-exec'),
  }),
  config: verbs({ verbs: { 'get list': lists }, otherwise: always('write', 'changes configuration') }),
  'status version help completion': lists,
  browse: always('external', 'opens a browser'),
  copilot: always('unknown', 'asks a model', 'network'),
};

/** GitHub, GitLab and their like, from the command line. */
export const FORGES: Readonly<Record<string, Rule>> = {
  gh: verbs({
    globals: { read: '-R: --repo= --version --help' },
    verbs: GH_AREAS,
    otherwise: always('unknown', 'may be an alias or an extension', 'code-exec'),
  }),
  'glab tea': verbs({
    globals: { read: '-R: --repo= --version --help' },
    verbs: {
      'mr merge-request issue release repo label snippet schedule variable ssh-key pr': area('list ls view show diff', {
        'clone checkout download': always('write', 'writes files', 'network'),
      }),
      'ci pipeline pipe': area('list ls status trace get lint'),
      api,
      auth: verbs({ verbs: { status: lists }, otherwise: changes }),
      'version help': lists,
      config: verbs({ verbs: { get: lists }, otherwise: always('write', 'changes configuration') }),
    },
    otherwise: changes,
  }),
  'hub jira': changes,
};
