import { statSync } from 'node:fs';
import { askableBinding, bindingFor } from '../../config/binding.ts';
import { isOpenToAll, mayAnybodyApprove } from '../../config/grant-terms.ts';
import type { Binding, Config } from '../../config/schema.ts';
import { type ApproverRules, approversFor } from '../../core/policy/approval.ts';
import type { SessionFacts } from '../../core/request.ts';
import { approverWords } from '../../prompt/approver-words.ts';
import { type Examination, roleOf } from './examination.ts';
import { fail, ok, warn } from './finding.ts';

/** Whether what was configured can come to anything: bindings that match, files that are closed to others. */
export function examineConfiguration({ config, env, session, report }: Examination): void {
  const role = roleOf(config);
  if (role === 'owner') {
    report(ok('configuration.bindings', 'Runs here ask through gateways over Redis; the bindings are theirs.'));
  } else if (config.bindings.length === 0) {
    report(
      fail(
        'configuration.bindings',
        'No binding names a channel, so that no question reaches anybody.',
        'Set HANDRAISE_SLACK_CHANNEL, or write bindings into the configuration file (docs/configuration.md).',
      ),
    );
  } else {
    for (const [index, hidden] of hiddenBindings(config.bindings)) {
      report(
        warn(
          'configuration.hidden',
          `bindings[${hidden}] is never used: bindings[${index}], which stands before it, matches every run.`,
          `Move bindings[${hidden}] up, or remove it. HANDRAISE_SLACK_CHANNEL stands before those of the file.`,
        ),
      );
    }
    for (const [index, binding] of config.bindings.entries()) reportApprovers(binding, `bindings[${index}]`, report);
    if (role === 'embedded') reportRunHere(config, session, report);
  }
  for (const { name, path } of openFiles(config, env)) {
    report(
      warn('configuration.files', `${path} (${name}) can be read or changed by other users.`, `chmod 600 ${path}`),
    );
  }
}

/** The agents a run can be of, by the name that `match.agent` is compared with. */
export const AGENTS = ['claude-code', 'generic', 'script'] as const;

function reportRunHere({ bindings }: Config, session: SessionFacts, report: Examination['report']): void {
  const asked = AGENTS.map((agent) => {
    const binding = askableBinding(bindings, { ...session, agent });
    const index = binding === undefined ? -1 : bindings.indexOf(binding);
    return { agent, through: index < 0 ? 'nobody' : `bindings[${index}]` };
  });
  const where = `in ${session.workspace}${session.branch === undefined ? '' : ` (${session.branch})`}`;
  if (asked.every(({ through }) => through === 'nobody')) {
    const denied = AGENTS.some((agent) => bindingFor(bindings, { ...session, agent }) !== undefined);
    report(
      warn(
        'configuration.here',
        `A run ${where} asks nobody: ${denied ? 'its binding has questions.mode: deny' : 'no binding matches'}.`,
        'If it should ask, change match of a binding; `--workspace`, `--session` and the branch are compared with it.',
      ),
    );
    return;
  }
  const ways = new Set(asked.map(({ through }) => through));
  const through = [...ways].map((way) => {
    const agents = asked.filter((one) => one.through === way).map(({ agent }) => agent);
    return ways.size === 1 ? way : `${way} (${agents.join(', ')})`;
  });
  report(ok('configuration.here', `A run ${where} asks through ${through.join(', ')}.`));
}

/** Nothing about a binding without approvers: that is how it is meant to be, unless somebody says otherwise. */
function reportApprovers(binding: Binding, name: string, report: Examination['report']): void {
  const rules = binding.grants?.approvers;
  if (rules === undefined || isNobody(rules)) return;
  if (isOpenToAll(rules)) {
    report(
      warn(
        'configuration.approvers',
        `Everybody who sees a card of ${name} may allow what an agent wants to do (grants.approvers: "*").`,
        'List the people who may, by their ids: slackUsers, discordUsers, discordRoles.',
      ),
    );
  } else if (mayAnybodyApprove(binding)) {
    report(ok('configuration.approvers', `${name}: ${rulesInWords(rules)} may allow what an agent wants to do.`));
  } else {
    report(
      warn(
        'configuration.approvers',
        `No card of ${name} reaches those who may approve (${rulesInWords(rules)}), so that every step is refused without asking.`,
        'List approvers of the platform that the binding posts to, or add its channel.',
      ),
    );
  }
}

function isNobody(rules: ApproverRules): boolean {
  return CLASSES.map((grantClass) => approversFor(rules, grantClass)).every(
    (rule) => rule !== '*' && Object.values(rule).every((list) => list.length === 0),
  );
}

/** One list, or both where each class has its own. */
function rulesInWords(rules: ApproverRules): string {
  const [write, external] = CLASSES.map((grantClass) => approverWords(approversFor(rules, grantClass)));
  return write === external ? `${write}` : `${write} (external: ${external})`;
}

const CLASSES = ['write', 'external'] as const;

/** [the binding that matches every run, one behind it] */
function hiddenBindings(bindings: readonly Binding[]): [number, number][] {
  const first = bindings.findIndex(({ match }) => Object.keys(match).length === 1 && match.workspace === '*');
  return first < 0 ? [] : bindings.slice(first + 1).map((_, at): [number, number] => [first, first + 1 + at]);
}

/** Files with secrets or policy that others may read or write. */
function openFiles({ origins, gateway }: Config, env: NodeJS.ProcessEnv): { name: string; path: string }[] {
  const files = new Map<string, { path: string; mask: number }>();
  for (const { from, name } of origins.values()) {
    const path = name.endsWith('_FILE') ? env[name]?.trim() : undefined;
    if (path !== undefined && path !== '') files.set(name, { path, mask: 0o077 });
    // A file may be read by others as long as they cannot name themselves in it.
    if (from === 'file') files.set('configuration', { path: name.replace(/:\d+$/, ''), mask: 0o022 });
  }
  const key = gateway?.signingKeyFile;
  if (key !== undefined) files.set('gateway.signingKeyFile', { path: key, mask: 0o077 });
  return [...files].flatMap(([name, { path, mask }]) => ((modeOf(path) & mask) === 0 ? [] : [{ name, path }]));
}

/** None for a file that is not there, or not for us to see: whoever has to read it says so. */
function modeOf(path: string): number {
  try {
    return statSync(path).mode;
  } catch {
    return 0;
  }
}
