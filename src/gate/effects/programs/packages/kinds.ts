import { flags } from '../../flags.ts';
import { reaching } from '../../reaching.ts';
import { always, READ, type Rule, unknown, worst } from '../../rule.ts';

/** Runs what others wrote; what it is told to do outside is seen. */
export const runsPackage: Rule = (args, shell) =>
  worst(
    unknown('runs a package', 'code-exec', 'network'),
    ...args.map(({ text }) => publishing(text)),
    ...reaching(args, shell),
  );

export const project = (reason: string): Rule => always('write', reason, 'code-exec');
export const installs = always('write', 'changes installed packages', 'network', 'code-exec');
/** A verb of a package manager that no table knows: it may run another program, which is then seen. */
export const installsOrRuns: Rule = (args, shell) =>
  worst(installs(args, shell), ...args.map(({ text }) => publishing(text)), ...reaching(args, shell));
export const publishes = always('external', 'changes a package registry', 'network');
export const registry = (read: string): Rule => flags({ read: `${read} --json --help -h` }, undefined, 'network');

/** A script of the project by that name is there to publish. */
export function publishing(verb = ''): { effect: 'external'; reason: string } | undefined {
  return /^(publish|deploy|release)(:[\w:-]+)?$/.test(verb) ? { effect: 'external', reason: 'publishes' } : undefined;
}

/** `npm config list` reads, `npm config set` writes. */
export const npmConfig: Rule = (args) =>
  /^(get|list|ls)$/.test(args[0]?.text ?? 'list')
    ? { ...READ, tags: ['secret-read'] }
    : { effect: 'write', reason: 'changes configuration', tags: ['persistence'] };
