import { flags } from '../flags.ts';
import { reaching } from '../reaching.ts';
import { always, READ, type Rule, unknown, worst } from '../rule.ts';
import { isSecretFile } from '../secrets.ts';
import { verbs } from '../verbs.ts';

const LOCAL_PRINTS =
  '-a -q -n: -l -s -f: --all --quiet --no-trunc --last= --latest --size --format= --filter= --digests --tree --help';
const prints = (more = ''): Rule => flags({ read: `${LOCAL_PRINTS} ${more}` });
const local = always('write', 'changes containers or images here');
const runs =
  (reason: string): Rule =>
  (args, shell) =>
    worst(unknown(reason, 'code-exec'), ...reaching(args, shell));

const IMAGE = {
  'ls list inspect history': prints('-H --platform= --human'),
  push: always('external', 'publishes an image', 'network'),
};

const DOCKER: Readonly<Record<string, Rule>> = {
  'ps images ls version info': prints(),
  logs: prints('-t --tail= --since= --until= --follow --timestamps --details -n:'),
  'inspect top stats port diff history events': prints('--type= --no-stream --since= --until= -H --human'),
  container: verbs({
    verbs: {
      'ls list ps inspect logs top stats port diff': prints('--tail= --since= -t --follow --no-stream --type='),
      'run exec': runs('runs a program in a container'),
    },
    otherwise: local,
  }),
  image: verbs({ verbs: IMAGE, otherwise: local }),
  'node service stack swarm secret config': verbs({
    verbs: { 'ls list inspect ps logs services': prints('-v --verbose --follow --tail= --since=') },
    otherwise: always('external', 'changes a cluster', 'network'),
  }),
  'volume network system builder buildx context plugin': verbs({
    verbs: { 'ls list inspect df du version': prints('-v --verbose') },
    otherwise: (operands) =>
      operands.some(({ text }) => text === '--push' || /type=registry|push=true/.test(text))
        ? { effect: 'external', reason: 'publishes an image' }
        : { effect: 'write', reason: 'changes what runs here' },
  }),
  manifest: verbs({
    verbs: { inspect: prints('-v --verbose --insecure'), push: always('external', 'publishes an image') },
    otherwise: local,
  }),
  compose: compose(),
  search: flags({ read: '-f: --filter= --format= --limit= --no-trunc' }, undefined, 'network'),
  build: (args) =>
    args.some(({ text }) => text === '--push' || /type=registry|push=true/.test(text))
      ? { effect: 'external', reason: 'publishes an image' }
      : { effect: 'write', reason: 'makes an image, running its steps', tags: ['code-exec'] },
  'run exec create attach': runs('runs a program in a container'),
  'cp pull tag rmi rm stop start restart kill pause unpause rename update commit save load import export prune wait':
    local,
  'push login logout trust scout': always('external', 'talks to a registry', 'network'),
};

function compose(): Rule {
  return verbs({
    globals: {
      read: '-f: --file= -p: --project-name= --profile= --env-file= --project-directory= --ansi= --progress= --version -v --help',
    },
    verbs: {
      'ps ls logs top images events port version stats volumes': prints(
        '-t --tail= --since= --until= --follow --timestamps --no-color --no-log-prefix --services --status= --orphans',
      ),
      config: always('read', 'prints the configuration', 'secret-read'),
      'push publish': always('external', 'publishes images', 'network'),
      'exec run': runs('runs a program in a container'),
    },
    otherwise: local,
  });
}

const KUBE_GLOBALS =
  '-n: --namespace= --context= --cluster= --request-timeout= -v: --v= --warnings-as-errors --match-server-version';
const KUBE_READ =
  `${KUBE_GLOBALS} -o: -l: -A -w -f: -R -L: -c: -p --output= --selector= --all-namespaces --watch --watch-only --field-selector= --show-labels --show-kind --show-managed-fields --no-headers --sort-by= --label-columns= --ignore-not-found --chunk-size= --output-watch-events --server-print[=] --subresource= --filename= --recursive ` +
  '--since= --since-time= --tail= --follow --previous --timestamps --container= --all-containers[=] --prefix --max-log-requests= --limit-bytes= --pod-running-timeout= --ignore-errors --containers --show-events[=] --api-version= --api-group= --namespaced[=] --verbs= --cached --categories= --client --short --minify --raw --flatten --revision= --timeout= --list --as= --as-group= -q --quiet --use-protocol-buffers --help -h --for=';

const kubeRead: Rule = (args, shell) =>
  worst(
    flags(
      { read: KUBE_READ, unknown: '--kubeconfig= --server= -s: --token= --raw=' },
      undefined,
      'network',
    )(args, shell),
    args.some(({ text }) => /^secrets?(\/|$)|,secrets?\b/.test(text)) || isSecretFile(args[0]?.text ?? '')
      ? { ...READ, tags: ['secret-read'] }
      : undefined,
  );

const kubectl = verbs({
  globals: {
    read: KUBE_GLOBALS,
    unknown:
      '--kubeconfig= -s: --server= --token= --as= --user= --certificate-authority= --insecure-skip-tls-verify[=]',
  },
  verbs: {
    'get describe logs top explain api-resources api-versions version cluster-info events': kubeRead,
    auth: (args, shell) =>
      /^(can-i|whoami)$/.test(args[0]?.text ?? '')
        ? kubeRead(args.slice(1), shell)
        : { effect: 'external', reason: 'changes the cluster' },
    rollout: (args, shell) =>
      /^(status|history)$/.test(args[0]?.text ?? '')
        ? kubeRead(args.slice(1), shell)
        : { effect: 'external', reason: 'changes the cluster' },
    config: (args, shell) =>
      /^(view|current-context|get-contexts|get-clusters|get-users)$/.test(args[0]?.text ?? '')
        ? worst(kubeRead(args.slice(1), shell), { ...READ, tags: args[0]?.text === 'view' ? ['secret-read'] : [] })
        : { effect: 'write', reason: 'changes the client’s configuration' },
    cp: (args) => {
      const places = args.filter(({ text }) => !text.startsWith('-'));
      const target = places.at(-1)?.text ?? '';
      const source = places.at(-2)?.text ?? '';
      return source.includes(':') && !target.includes(':') && target !== ''
        ? { effect: 'write', reason: 'writes a local file', tags: ['network'] }
        : { effect: 'external', reason: 'writes into a pod' };
    },
    'completion options': always('read', 'prints'),
    kustomize: always('unknown', 'may run plugins and fetch'),
    plugin: always('unknown', 'looks for programs'),
    diff: always('unknown', 'runs a program that the environment names'),
  },
  otherwise: always('external', 'changes the cluster', 'network'),
});

/** Containers and clusters. */
export const CONTAINERS: Readonly<Record<string, Rule>> = {
  'docker podman nerdctl': verbs({
    globals: {
      read: '-D -l: --debug --log-level= --version -v --help',
      external: '-H: --host=',
      unknown:
        '-c: --context= --config= --tlscacert= --tlscert= --tlskey= --tls --tlsverify --connection= --url= --remote',
    },
    verbs: DOCKER,
    bare: () => READ,
  }),
  'docker-compose podman-compose': compose(),
  'kubectl oc k': kubectl,
  helm: verbs({
    globals: {
      read: `${KUBE_GLOBALS} --kube-context= --debug`,
      unknown: '--kubeconfig= --registry-config= --repository-config=',
    },
    verbs: {
      'list ls status history get show search env version': flags(
        {
          read: `${KUBE_READ} --kube-context= --max= --revision= --all -a --deployed --failed --pending --superseded --versions --version= --repo= --devel --offset= --template= --date -d -r`,
          unknown: '--kubeconfig= --post-renderer= --keyring= --ca-file=',
        },
        undefined,
        'network',
      ),
      template: flags({
        read: '-f: -n: -s: --values= --set= --set-string= --show-only= --namespace= --version= --include-crds --no-hooks --name-template= --api-versions= --kube-version=',
        write: '--output-dir= --dependency-update',
        unknown: '--post-renderer= --post-renderer-args= --set-file= --validate --repo=',
      }),
      lint: flags({ read: '-f: --values= --set= --strict --quiet --with-subcharts' }),
      'create dependency dep package pull fetch repo plugin completion verify': always(
        'write',
        'changes local charts or repositories',
        'network',
      ),
    },
    otherwise: always('external', 'changes the cluster or a registry', 'network'),
  }),
  'argocd flux istioctl linkerd velero kn tkn argo rancher eksctl kops kubeadm': verbs({
    verbs: { version: flags({ read: '--client --short -o:' }) },
    otherwise: always('external', 'changes the cluster', 'network'),
  }),
  'minikube kind k3d colima lima limactl vagrant multipass': verbs({
    verbs: { 'status version list ls get': flags({ read: '-o: --output= -p: --profile= --json -q' }) },
    otherwise: local,
  }),
  'skopeo crane oras regctl': verbs({
    verbs: {
      'inspect list-tags ls manifest digest config version': flags(
        { read: '--raw --config --format= --no-tags -n' },
        undefined,
        'network',
      ),
    },
    otherwise: always('external', 'may change a registry', 'network'),
  }),
  'dive trivy grype syft hadolint': always('unknown', 'reads images, and fetches', 'network'),
  'k9s lazydocker stern kubectx kubens': always('unknown', 'is interactive, or changes the client'),
};
