/**
 * What a built-in tool of an agent does, and which members of its input say to what. `reads`: nothing that is named ·
 * `reads-files`: the files named by `paths`, or those below them that fit one of `globs` · `writes-file`: the one named ·
 * `shell`: whatever the command does, in the folder named by `folder` where there is one · `patch`: the files named in its
 * own text · `fetches`: from the network, by the agent's own means.
 */
export type ToolKind =
  | { readonly kind: 'reads'; readonly reason: string }
  | { readonly kind: 'reads-files'; readonly paths: readonly string[]; readonly globs: readonly string[] }
  | { readonly kind: 'writes-file'; readonly path: string }
  | { readonly kind: 'shell'; readonly command: string; readonly folder?: string }
  | { readonly kind: 'patch'; readonly patch: string }
  | { readonly kind: 'fetches' };

const reads = (reason: string): ToolKind => ({ kind: 'reads', reason });
const files = (paths: readonly string[], globs: readonly string[] = []): ToolKind => ({
  kind: 'reads-files',
  paths,
  globs,
});
const writes = (path: string): ToolKind => ({ kind: 'writes-file', path });

/** Claude Code 2.1 (agents.md section 3). Its Bash keeps `cd` between calls, so that the folder comes from the hook. */
const CLAUDE_CODE: Readonly<Record<string, ToolKind>> = {
  Agent: reads('starts a sub-agent, whose own steps are judged one by one'),
  Task: reads('starts a sub-agent, whose own steps are judged one by one'),
  TaskOutput: reads('reads what a background task printed'),
  TaskStop: reads('ends a background task that the agent started'),
  TaskCreate: reads('notes a task in its own list'),
  TaskGet: reads('reads its own list of tasks'),
  TaskList: reads('reads its own list of tasks'),
  TaskUpdate: reads('notes a task in its own list'),
  AgentOutputTool: reads('reads what a sub-agent printed'),
  BashOutput: reads('reads what a background command printed'),
  KillShell: reads('ends a background command that the agent started'),
  TodoRead: reads('reads its own list of tasks'),
  TodoWrite: reads('notes a task in its own list'),
  Skill: reads('loads instructions; what they make it do is judged'),
  SlashCommand: reads('loads instructions; what they make it do is judged'),
  ToolSearch: reads('looks for tools'),
  EnterPlanMode: reads('begins to plan'),
  WaitForMcpServers: reads('waits for servers'),
  ListMcpResourcesTool: reads('lists what servers offer'),
  Read: files(['file_path']),
  NotebookRead: files(['notebook_path']),
  LS: files(['path']),
  Glob: files(['path']),
  Grep: files(['path'], ['glob']),
  Write: writes('file_path'),
  Edit: writes('file_path'),
  MultiEdit: writes('file_path'),
  NotebookEdit: writes('notebook_path'),
  Bash: { kind: 'shell', command: 'command' },
  WebFetch: { kind: 'fetches' },
  WebSearch: { kind: 'fetches' },
};

/** Codex (agents.md section 4). */
const CODEX: Readonly<Record<string, ToolKind>> = {
  shell: { kind: 'shell', command: 'command', folder: 'workdir' },
  local_shell: { kind: 'shell', command: 'command', folder: 'workdir' },
  shell_command: { kind: 'shell', command: 'command', folder: 'workdir' },
  exec_command: { kind: 'shell', command: 'cmd', folder: 'workdir' },
  apply_patch: { kind: 'patch', patch: 'input' },
  update_plan: reads('notes a task in its own list'),
  view_image: files(['path']),
  web_search: { kind: 'fetches' },
};

/** The question that handraise itself offers. */
const OURS: Readonly<Record<string, ToolKind>> = { mcp__operator__ask: reads('asks a person') };

const TOOLS: ReadonlyMap<string, ToolKind> = new Map(
  [CLAUDE_CODE, CODEX, OURS].flatMap((table) => Object.entries(table)),
);

/** Undefined for every other tool, whatever it calls itself: nothing is known about it. */
export function kindOf(tool: string): ToolKind | undefined {
  return TOOLS.get(tool);
}
