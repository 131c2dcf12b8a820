import type { EffectTag } from '../../effect.ts';
import { flagParser } from '../../flags.ts';
import { reaching } from '../../reaching.ts';
import { type Rule, unknown, worst } from '../../rule.ts';
import { starts } from './mixed.ts';

const RUNS =
  '--exec= -x: --upload-pack= --receive-pack= -u: --template= -c: --config= --pager= -O? --tool= --extcmd= -X: --strategy-option= --server-option=';
/** Verbs that change the repository, its files or the machine. */
export const WRITES: Readonly<Record<string, Rule>> = {
  'add rm mv restore reset checkout switch stash merge cherry-pick revert commit am apply clean init gc prune pack-refs repack update-index update-ref read-tree write-tree commit-tree maintenance rerere replace mktag mktree pack-objects unpack-objects format-patch fast-import checkout-index index-pack rm-cached stripspace multi-pack-index commit-graph':
    writes('changes the repository or its files', { unknown: '--exec= --template= --pathspec-from-file=' }),
  rebase: (args, shell) =>
    worst(writes('rewrites commits', { unknown: '--exec= -x:' })(args, shell), ...reaching(args, shell)),
  'fetch pull': (args, shell) =>
    worst(
      writes('fetches from a remote', { unknown: '--upload-pack=' }, 'network')(args, shell),
      args.some(({ text }) => text.includes('::'))
        ? unknown('a transport that runs a program', 'code-exec')
        : undefined,
    ),
  clone: (args, shell) =>
    worst(
      writes('makes a copy of a repository', { unknown: RUNS }, 'network')(args, shell),
      args.some(({ text }) => text.includes('::'))
        ? unknown('a transport that runs a program', 'code-exec')
        : undefined,
    ),
  'difftool mergetool filter-branch filter-repo instaweb gui citool web--browse daemon shell upload-pack receive-pack credential credential-store credential-cache for-each-repo hook':
    starts('runs programs that it is told'),
};

function writes(reason: string, table: { unknown?: string; external?: string } = {}, ...tags: EffectTag[]): Rule {
  const judge = flagParser({ ...table, harmless: true });
  return (args) => {
    // Options that only write need no list; those that run something do.
    const { values } = judge(args);
    const named = args.some(({ text }) => startsLike(text, table.unknown)) || values.size > 0;
    return named
      ? worst({ effect: 'write', reason, tags }, unknown('an option runs a command', 'code-exec'))
      : { effect: 'write', reason, tags };
  };
}

/** Also by its beginning, with its value glued or not. */
function startsLike(text: string, options = ''): boolean {
  const name = text.split('=')[0] ?? '';
  return options.split(/\s+/).some((option) => {
    const full = option.replace(/[=:?]$/, '');
    if (full === '') return false;
    return full.startsWith('--')
      ? name.length > 3 && full.startsWith(name)
      : name.startsWith(full) && !name.startsWith('--');
  });
}
