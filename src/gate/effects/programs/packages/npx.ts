import { reaching } from '../../reaching.ts';
import { type Rule, unknown, worst } from '../../rule.ts';
import { publishing } from './kinds.ts';

/** `npx tool …`: a program of the project's packages, or one that is fetched. */
export const npx: Rule = (args, shell) => {
  const at = args.findIndex(({ text }) => !/^(-y|--yes|--no-install|--no|-q|--quiet|--bun|exec)$/.test(text));
  const [tool, ...rest] = at === -1 ? [] : args.slice(at);
  if (tool === undefined) return unknown('no program is named');
  const name = tool.text.replace(/(?<=.)@[^/]*$/, '');
  if (tool.text.startsWith('-') || !tool.literal)
    return worst(unknown('runs a package', 'code-exec'), ...reaching(args, shell));
  if (PROJECT_TOOLS.test(name) && name === tool.text)
    return worst(
      { effect: 'write', reason: 'runs a program of the project', tags: ['code-exec'] },
      shell.judgeProgram([tool, ...rest]),
    );
  const inner = shell.judgeProgram([{ ...tool, text: name }, ...rest]);
  return worst(
    unknown('runs a package', 'code-exec', 'network'),
    PUBLISHING_TOOLS.test(name) ? { effect: 'external', reason: `${name} reaches beyond this machine` } : undefined,
    inner.effect === 'external' ? inner : undefined,
    ...rest.map(({ text }) => publishing(text)),
  );
};

/** Packages whose whole purpose is outside, and that no table of programs knows. */
const PUBLISHING_TOOLS = /^(localtunnel|ngrok|untun|surge|gh-pages|np|semantic-release)$/;

/** What teams run from their own packages many times a day: it writes, by code of the project. */
const PROJECT_TOOLS =
  /^(vitest|jest|mocha|ava|tap|tsc|tsx|ts-node|eslint|biome|prettier|stylelint|playwright|cypress|vite|webpack|rollup|esbuild|next|nuxt|astro|turbo|nx|knip|madge|depcheck|lint-staged|tsup|c8|nyc|oxlint|swc|babel|parcel|storybook|prisma|rimraf|mkdirp|cross-env|concurrently)$/;
