import { reaching } from '../reaching.ts';
import { always, READ, type Rule, unknown, worst } from '../rule.ts';
import { verbs } from '../verbs.ts';
import { EXTERNAL, MIXED } from './git/mixed.ts';
import { READS } from './git/reads.ts';
import { WRITES } from './git/writes.ts';

const git = verbs({
  globals: {
    read: '--no-pager --no-optional-locks --literal-pathspecs --glob-pathspecs --noglob-pathspecs --icase-pathspecs --no-replace-objects -P --version --help',
    unknown:
      '-c: -C: -p --paginate --exec-path[=] --git-dir= --work-tree= --namespace= --bare --super-prefix= --config-env= --html-path --man-path --info-path --attr-source= --no-lazy-fetch',
  },
  verbs: {
    ...WRITES,
    ...READS,
    ...MIXED,
    'push send-email send-pack http-push request-pull svn p4 cvsexportcommit imap-send': EXTERNAL,
  },
  bare: () => READ,
});

/** Version control. */
export const GIT: Readonly<Record<string, Rule>> = {
  // An alias given on the way is a command of its own.
  git: (args, shell) =>
    worst(
      git(args, shell),
      ...reaching(
        args.filter(({ text }) => /alias\./.test(text)),
        shell,
      ),
    ),
  'hg svn': verbs({
    verbs: {
      'status log diff cat annotate blame info': always('unknown', 'reads, and may run configured programs'),
      'push commit ci': always('external', 'may change a remote repository'),
    },
  }),
  jj: verbs({
    verbs: {
      git: (args) =>
        args[0]?.text === 'push' ? { effect: 'external', reason: 'publishes' } : unknown('changes the repository'),
    },
  }),
  'tig gitk lazygit': always('unknown', 'is interactive'),
  'husky lefthook': always('unknown', 'runs hooks of the project', 'code-exec'),
};
