import { flags } from '../flags.ts';
import { always, READ, type Rule, unknown, worst } from '../rule.ts';
import type { Argument } from '../shell/argument.ts';
import { verbs } from '../verbs.ts';

const READING_VERB =
  /^(get|list|describe|show|view|head|search|lookup|check|validate|estimate|filter|query|scan|wait|ls|tail|batch-get|admin-get|admin-list)(-|$)/;
/** Verbs that begin like a read and are none, or that hand out secrets. */
const NOT_READING =
  /^(get-object|get-session-token|get-federation-token|get-role-credentials|get-login|get-credentials|test-invoke|select-object|get-bucket-.*-to|get-lambda|get-export|get-signed-url|query-?execut)/;
const SECRET_VERB = /secret|password|parameter|token|key|credential|login|kubeconfig|config/;
const RISKY_FLAG =
  /^--?(endpoint-url|cli-input|generate-cli|ca-bundle|no-verify-ssl|plugin|impersonate|access-token-file|flags-file|configuration|cli-binary|outfile|output-file|query-file|file|debug-file|log-http|with-decryption-file)/;

interface Cloud {
  /** How many words lead to the verb (aws: service, verb). The verb is the last word before operands for gcloud and az. */
  readonly verbAt: 'second' | 'any';
  readonly bare?: Rule;
}

function cloud({ verbAt }: Cloud): Rule {
  return (args) => {
    if (args.every(({ text }) => /^(--version|version|--help|help|info)$/.test(text)))
      return { ...READ, reason: 'prints' };
    const words = wordsOf(args);
    const strange = args.some(
      ({ text, literal, splits }) =>
        RISKY_FLAG.test(text) ||
        (!literal && (splits || text === '' || text.startsWith('-') || READING_VERB.test(text))),
    );
    const verb = verbAt === 'second' ? words[1] : words.find((word) => READING_VERB.test(word));
    const changing = words
      .slice(verbAt === 'second' ? 1 : 0, verbAt === 'second' ? 2 : 6)
      .find((word) => CHANGING.test(word));
    const reads =
      verb !== undefined &&
      READING_VERB.test(verb) &&
      !NOT_READING.test(verb) &&
      (verbAt === 'second' || changing === undefined);
    if (!reads) return { effect: 'external', reason: 'may change the cloud', tags: ['network'] };
    const secret = words.some((word) => SECRET_VERB.test(word)) ? (['secret-read'] as const) : [];
    const judged = { ...READ, reason: 'reads from the cloud', tags: ['network', ...secret] as const };
    return strange ? worst(judged, unknown('an option that may write, or send elsewhere')) : judged;
  };
}

const CHANGING =
  /^(create|delete|remove|update|set|add|apply|deploy|start|stop|restart|run|exec|ssh|scp|cp|mv|rm|rsync|import|export|enable|disable|attach|detach|put|push|publish|invoke|submit|send|reset|resize|grant|revoke|rollback|promote|upgrade|purge|restore|cancel|configure|login|logout|init|activate|connect|tunnel|port-forward|sync|copy|upload|download|invalidate|terminate|reboot|destroy|approve|reject|abandon|move|snapshot|failover|swap|scale|buy|rotate|regenerate|renew|lock|unlock|tag|untag|assign|unassign|associate|disassociate|authorize|accept|allocate|release|modify|register|deregister|rest|call|insert|patch|replace|clear|purge|rollout|retry|resume|pause|suspend|wipe|drop|undelete|recover|rename|edit|new|rm|fork|link|unlink|issue|sign|verify|request|transfer|migrate|drain|cordon|bind|unbind)(-|$)/;

/** Words that are neither options nor values that are glued to one; values behind an option are kept: they only add. */
function wordsOf(args: readonly Argument[]): string[] {
  const words: string[] = [];
  for (let at = 0; at < args.length; at += 1) {
    const { text } = args[at] as Argument;
    if (
      /^--(profile|region|output|query|project|account|zone|format|subscription|resource-group|endpoint-url|color|ca-bundle|cli-read-timeout|cli-connect-timeout|configuration|verbosity|filter|limit|location)$/.test(
        text,
      ) ||
      /^-[ong]$/.test(text)
    ) {
      at += 1;
      continue;
    }
    if (!text.startsWith('-')) words.push(text);
  }
  return words;
}

const aws: Rule = (args, shell) => {
  const words = wordsOf(args);
  const [service, verb] = words;
  if (service === 's3' && verb !== undefined) {
    const places = words.slice(2);
    if (verb === 'ls') return { ...READ, reason: 'lists a bucket', tags: ['network'] };
    const target = places.at(-1) ?? '';
    if (
      /^(cp|sync)$/.test(verb) &&
      places.length > 1 &&
      !target.startsWith('s3://') &&
      places[0]?.startsWith('s3://') === true
    ) {
      return { effect: 'write', reason: 'writes local files', tags: ['network'] };
    }
    return { effect: 'external', reason: 'changes a bucket', tags: ['network'] };
  }
  if (service === 's3api' && verb === 'get-object')
    return { effect: 'write', reason: 'writes a local file', tags: ['network'] };
  if (service === 'configure')
    return /^(list|get|list-profiles)$/.test(verb ?? '')
      ? { ...READ, tags: ['secret-read'] }
      : { effect: 'write', reason: 'changes the client’s configuration' };
  return cloud({ verbAt: 'second' })(args, shell);
};

const tofu: Rule = verbs({
  globals: { read: '-chdir: -version -help --version', style: 'exact' },
  verbs: {
    fmt: flags({ read: '-check -recursive -diff -list: -no-color', write: '-write:', style: 'exact' }, ({ values }) =>
      values.has('-check') ? undefined : { effect: 'write', reason: 'rewrites files' },
    ),
    version: flags({ read: '-json', style: 'exact' }),
    'show output graph providers': always('unknown', 'reads state, with code of providers', 'secret-read'),
    'validate plan console test get': always('unknown', 'runs code of providers', 'network', 'code-exec'),
    init: always('write', 'downloads providers', 'network', 'code-exec'),
    state: verbs({
      verbs: {
        'list show': always('unknown', 'reads state', 'network', 'secret-read'),
        pull: always('unknown', 'reads state', 'network', 'secret-read'),
      },
      otherwise: always('external', 'changes state'),
    }),
    workspace: verbs({
      verbs: { 'list show': flags({ read: '-no-color', style: 'exact' }) },
      otherwise: always('write', 'changes the workspace'),
    }),
  },
  otherwise: always('external', 'changes infrastructure', 'network'),
});

/** Verbs of hosting platforms that only tell; what follows them is a name. */
const TELLS = /^(ls|list|ps|logs|status|whoami|inspect|tail|config:get)$/;
/** Nouns that tell when they stand alone, or before a verb that does. */
const NOUNS =
  /^(apps|domains|releases|buildpacks|addons|deployments|config|info|projects|sites|services|machines|volumes|env|teams|d1|kv|r2|queues)$/;

/** Platforms whose commands deploy unless they plainly tell something. */
const platform: Rule = (args) => {
  const [first] = args;
  if (args.length === 1 && /^(--version|-v|-V|--help|-h|version|help)$/.test(first?.text ?? ''))
    return { ...READ, reason: 'prints' };
  const words = args.filter(({ text }) => !text.startsWith('-')).map(({ text }) => text);
  const [noun = '', verb] = words;
  const tells =
    TELLS.test(noun) || (NOUNS.test(noun) && (verb === undefined || TELLS.test(verb))) || /^[a-z-]+:list$/.test(noun);
  const risky = args.some(
    ({ text, literal }) =>
      !literal ||
      (text.startsWith('-') &&
        !/^(-a|--app|-n|--num|--tail|-t|--json|-j|--scope|--project|--limit|--follow|-f|--lines|--since|-p)(=|$)/.test(
          text,
        )),
  );
  if (!tells || risky || words.slice(1).some((word) => CHANGING.test(word)))
    return { effect: 'external', reason: 'changes or deploys a service', tags: ['network'] };
  return {
    ...READ,
    reason: 'tells about a service',
    tags: /config|env|secret/.test(noun) ? ['network', 'secret-read'] : ['network'],
  };
};

/** Their configuration is a program of the project, and most of what they do deploys. */
const deploys: Rule = (args) =>
  args.length === 1 && /^(--version|-v|--help|-h)$/.test(args[0]?.text ?? '')
    ? READ
    : { effect: 'external', reason: 'may change or deploy a service', tags: ['network'] };

/** Clouds, infrastructure and hosting. */
export const CLOUD: Readonly<Record<string, Rule>> = {
  aws,
  'gcloud az oci ibmcloud aliyun doctl linode-cli hcloud scw exo openstack': cloud({ verbAt: 'any' }),
  'gsutil bq azcopy rclone s3cmd mc b2': (args) =>
    /^(ls|lsd|lsl|stat|du|size|version|show)$/.test(args[0]?.text ?? '') &&
    args.every(({ text, literal }) => literal && !/^--(config|rc|password-command)/.test(text))
      ? { ...READ, tags: ['network'] }
      : { effect: 'external', reason: 'may change remote files', tags: ['network'] },
  'terraform tofu terragrunt': tofu,
  pulumi: verbs({
    globals: { read: '--cwd= -C: --non-interactive --color= --version' },
    verbs: {
      'version about whoami': flags({ read: '--json' }),
      'preview logs': always('unknown', 'runs code of the project', 'code-exec', 'network'),
      stack: verbs({
        verbs: { 'ls output history': flags({ read: '-a -j --json --all' }, undefined, 'network', 'secret-read') },
        otherwise: always('external', 'changes a stack'),
        bare: always('read', 'prints'),
      }),
    },
    otherwise: always('external', 'changes infrastructure', 'network'),
  }),
  'ansible ansible-playbook ansible-pull salt puppet chef-client knife': (args) =>
    args.length === 1 && args[0]?.text === '--version'
      ? READ
      : { effect: 'external', reason: 'runs on other machines', tags: ['network'] },
  'ansible-vault ansible-galaxy ansible-lint': always('unknown', 'changes or reads what is encrypted'),
  'vercel netlify heroku fly flyctl railway render wrangler firebase supabase now': platform,
  'surge amplify eb copilot cf dokku kamal sst serverless sls sam cdk cdktf chalice zappa apex ngrok cloudflared localtunnel lt tailscale sentry-cli newrelic datadog-ci pd pagerduty opsgenie statuspage launchdarkly codecov stripe twilio sendgrid mailgun slack discord telegram-send ntfy zoom consul nomad':
    deploys,
  vault: verbs({
    verbs: {
      'status version': flags({ read: '-format: --format=', style: 'exact' }),
      'read list print': always('read', 'reads secrets', 'network', 'secret-read'),
    },
    otherwise: always('external', 'changes a vault'),
  }),
};
