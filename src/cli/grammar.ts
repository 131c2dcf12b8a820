import { readFileSync } from 'node:fs';
import { Command, InvalidArgumentError } from 'commander';
import type { AskOptions } from './ask.ts';
import { addAuditCommands } from './audit-grammar.ts';
import { addControlCommands } from './control-grammar.ts';
import type { DoctorOptions } from './doctor.ts';
import type { GatewayFlags } from './gateway.ts';
import type { NewKeysOptions, ShowKeysOptions } from './gateway-keys.ts';
import type { ProposeOptions } from './propose.ts';
import type { RunOptions } from './run.ts';

/** What a command came to: its exit code, or undefined when it goes on living (the bridge). */
export type Finish = (exitCode: number | undefined) => void;

/**
 * The whole command line. Each command imports its work only when it is called: `--help` and the bridge must not pay for
 * Slack. Mistakes are thrown as `CommanderError`.
 */
export function createProgram(finish: Finish): Command {
  const program = new Command('handraise')
    .description(
      'Lets a coding agent raise its hand: its questions and what it wants to write arrive in chat, the answers travel back.',
    )
    .version(packageVersion(), '--version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand(false)
    .exitOverride()
    .enablePositionalOptions()
    .showSuggestionAfterError()
    .configureOutput({ outputError: () => undefined });
  addRun(program, finish);
  addAsk(program, finish);
  addPropose(program, finish);
  addGateway(program, finish);
  addDoctor(program, finish);
  addControlCommands(program, finish);
  addAuditCommands(program, finish);
  addMcp(program, finish);
  addHook(program, finish);
  addExplain(program, finish);
  addPlayground(program, finish);
  return program;
}

function addRun(program: Command, finish: Finish): void {
  withOwnerOptions(program.command('run'))
    .summary('start an agent that can ask')
    .description(
      'Starts an agent whose questions go to the channel bound to this workspace. Standard streams, signals and the exit ' +
        'code are the agent’s. Where no binding matches, the agent is told to proceed on its own.',
    )
    .usage('[options] -- <agent…>')
    .argument('<agent...>', 'the agent’s command line, such as: claude -p "…"')
    .option('--agent <name>', 'how it is attached: claude-code or generic (default: by the program’s name)')
    .passThroughOptions()
    .addHelpText('after', EXIT_CODES.run)
    .action(async (agent: string[], options: RunOptions) => {
      const { run } = await import('./run.ts');
      finish(await run(agent, options));
    });
}

function addAsk(program: Command, finish: Finish): void {
  withOwnerOptions(program.command('ask'))
    .summary('ask from a script')
    .description(
      'Puts a question to the channel bound to this workspace and prints how it ended as one JSON object. ' +
        'Without a question, a JSON batch is read from --file or standard input: {"questions":[{"question":…}]}.',
    )
    .argument('[question]', 'one question; without options it gets a text box')
    .option('--header <text>', 'a tag of at most 12 characters')
    .option('--option <label=description>', 'one choice, repeated for each', collect)
    .option('--multi', 'more than one may be chosen')
    .option('--file <path>', 'read a JSON batch of questions; - is standard input')
    .option('--wait <duration>', 'how long to wait for an answer, 60s to 24h (default: the binding’s)')
    .addHelpText('after', EXIT_CODES.ask)
    .action(async (question: string | undefined, options: AskOptions) => {
      const { ask } = await import('./ask.ts');
      finish(await ask(question, options));
    });
}

function addPropose(program: Command, finish: Finish): void {
  withOwnerOptions(program.command('propose'))
    .summary('have a step of a script allowed')
    .description(
      'Puts one command to those who may approve it (grants.approvers) and prints how it ended as one JSON object. ' +
        'It runs nothing itself; a command that only reads is allowed without asking. Without a command, JSON is read ' +
        'from standard input: {"command":…, "cwd"?:…, "description"?:…}.',
    )
    .usage('[options] -- <command…>')
    .argument('[command...]', 'one text as a shell would run it, or a program and its arguments')
    .option('--wait <duration>', 'how long to wait for a decision, 60s to 24h (default: the binding’s)')
    .passThroughOptions()
    .addHelpText('after', EXIT_CODES.propose)
    .action(async (command: string[], options: ProposeOptions) => {
      const { propose } = await import('./propose.ts');
      finish(await propose(command, options));
    });
}

function addGateway(program: Command, finish: Finish): void {
  const command = program
    .command('gateway')
    .summary('serve runs on many hosts over Redis')
    .description(
      'Holds the chat tokens and the bindings for every run that names the same Redis (redis.url, HANDRAISE_REDIS_URL). ' +
        'Up to five gateways may serve one Redis. It logs to stderr and stops on SIGTERM.',
    )
    .option('--config <file>', 'configuration (default: HANDRAISE_CONFIG, else ~/.config/handraise/handraise.yaml)')
    .option('--verbose', 'log more, and print stacks of failures')
    .addHelpText('after', EXIT_CODES.gateway)
    .action(async (flags: GatewayFlags) => {
      const { gateway } = await import('./gateway.ts');
      finish(await gateway(flags));
    });
  addGatewayKeys(command, finish);
}

function addGatewayKeys(gateway: Command, finish: Finish): void {
  const keys = gateway
    .command('keys')
    .summary('make or show the key a gateway signs with')
    .description('Gateways sign what people decide; runs believe the keys they were given (docs/deploy.md).')
    .helpCommand(false);
  keys
    .command('new')
    .summary('make a pair of keys')
    .description('Makes a pair: the private key goes to a file that only you can read, the public one is printed.')
    .option('--out <file>', 'the file; it must not exist (default: ~/.config/handraise/gateway.key)')
    .action(async (options: NewKeysOptions) => {
      const { newKeys } = await import('./gateway-keys.ts');
      finish(await newKeys(options));
    });
  keys
    .command('show')
    .summary('print the public key')
    .description('Prints the public key of the configured signing key, alone on a line; never the private one.')
    .option('--config <file>', 'configuration (default: HANDRAISE_CONFIG, else ~/.config/handraise/handraise.yaml)')
    .action(async (_: unknown, command: Command) => {
      const { showKeys } = await import('./gateway-keys.ts');
      // `gateway --config FILE keys show` means the same.
      finish(await showKeys(command.optsWithGlobals<ShowKeysOptions>()));
    });
}

function addDoctor(program: Command, finish: Finish): void {
  program
    .command('doctor')
    .summary('say what is wrong, and what to do about it')
    .description(
      'Looks at everything a question needs on its way (configuration, Redis, gateways, Slack, who may answer) and ' +
        'sends one of its own around. It posts test messages to the bound channels and deletes them.',
    )
    .option('--config <file>', 'configuration (default: HANDRAISE_CONFIG, else ~/.config/handraise/handraise.yaml)')
    .option('--workspace <dir>', 'the workspace (default: the git top level around the working directory)')
    .option('--json', 'print one JSON object instead of lines')
    .option('--verbose', 'log to stderr, too, and print stacks of failures')
    .addHelpText('after', EXIT_CODES.doctor)
    .action(async (options: DoctorOptions) => {
      const { doctor } = await import('./doctor.ts');
      finish(await doctor(options));
    });
}

function addMcp(program: Command, finish: Finish): void {
  program
    .command('mcp')
    .summary('the MCP server that agents start')
    .description('Serves the tool "ask" to an agent over MCP. Started by agents; by hand it says how to start one.')
    .option('--socket <path>', 'the socket of the run it belongs to (default: HANDRAISE_SOCK)')
    .option(
      '--tools <list>',
      'what to serve: ask, approve or both (approve is for an agent’s permission prompt)',
      'ask',
    )
    .action(async ({ socket, tools }: { socket?: string; tools: string }) => {
      const { becomeBridge } = await import('../bridge/command.ts');
      await becomeBridge(['--tools', tools, ...(socket === undefined ? [] : ['--socket', socket])]);
      finish(undefined);
    });
}

function addHook(program: Command, finish: Finish): void {
  program
    .command('hook')
    .summary('what agents call before each step')
    .description(
      'Tells the run what an agent is about to do (one event of its hooks as JSON on standard input). Called by agents; ' +
        'it allows nothing.',
    )
    .option('--socket <path>', 'the socket of the run it belongs to (default: HANDRAISE_SOCK)')
    .action(async ({ socket }: { socket?: string }) => {
      const { becomeHook } = await import('../bridge/command.ts');
      await becomeHook(socket === undefined ? [] : ['--socket', socket]);
      finish(undefined);
    });
}

function addExplain(program: Command, finish: Finish): void {
  program
    .command('explain')
    .summary('say what a shell command would do')
    .description(
      'Prints the effect of a command (read, write, unknown, external), the part that decided and why. ' +
        'Nothing is run, and no file is looked at.',
    )
    .usage('[options] -- <command…>')
    .argument('[command...]', 'one text as a shell would run it, or a program and its arguments')
    .option(
      '--stdin',
      'read one JSON object a line, {"cmd":…}, and print each with effect, reason, part, tags, verdict and shown (as a card would show it)',
    )
    .passThroughOptions()
    .addHelpText('after', EXIT_CODES.explain)
    .action(async (command: string[], options: { stdin?: boolean }) => {
      const { explain } = await import('./explain.ts');
      finish(await explain(command, options));
    });
}

function addPlayground(program: Command, finish: Finish): void {
  program
    .command('playground')
    .summary('try it without a chat platform')
    .description(
      'A Slack and a Discord on this machine, with a page to use them and a small agent that asks. Nothing leaves it.',
    )
    .option('--auto', 'answer by itself, print what happened and exit')
    .option('--port <number>', 'TCP port of the page on 127.0.0.1 (default: any free one)', portNumber)
    .option('--redis', 'two agents that ask through a gateway, over a redis-server of its own')
    .action(async ({ auto = false, port, redis = false }: { auto?: boolean; port?: number; redis?: boolean }) => {
      const { playground } = await import('./playground.ts');
      finish(await playground({ auto, redis, ...(port === undefined ? {} : { port }) }));
    });
}

function portNumber(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw new InvalidArgumentError('It must be a number from 0 to 65535.');
}

function withOwnerOptions(command: Command): Command {
  return command
    .option('--config <file>', 'configuration (default: HANDRAISE_CONFIG, else ~/.config/handraise/handraise.yaml)')
    .option('--workspace <dir>', 'the workspace (default: the git top level around the working directory)')
    .option('--session <id>', 'name of the session (default: a new one)')
    .option('--as <person>', 'for whom it runs, such as slack:U0123456789 (default: HANDRAISE_REQUESTER)')
    .option('--events <file>', 'where events go (default: events.jsonl in the session’s state directory)')
    .option('--script <file>', 'take the answers from a file instead of asking people')
    .option('--verbose', 'log to stderr, too, and print stacks of failures');
}

const EXIT_CODES = {
  run: '\nExit code: the agent’s own, 128+n on a signal; 64 usage, 69 unavailable, 77 refused, 78 configuration.',
  gateway: '\nExit code: 0 stopped by a signal; 64 usage, 69 unavailable, 78 configuration.',
  propose:
    '\nExit code: 0 it may run, 77 refused (also what is never asked, or changed meanwhile), 3 nobody decided; ' +
    '64 usage,\n69 unavailable, 78 configuration.',
  explain: '\nExit code: 0 explained; 64 usage, or a line that is no such object.',
  doctor: '\nExit code: 0 nothing failed (there may be warnings), 1 something failed, 128+n on a signal; 64 usage.',
  ask: '\nExit code: 0 answered or skipped, 3 not answered; 64 usage, 69 unavailable, 77 refused, 78 configuration.',
} as const;

function collect(value: string, earlier: string[] = []): string[] {
  return [...earlier, value];
}

/** From source and from dist the package stands at different heights. */
function packageVersion(): string {
  const folder = import.meta.url.endsWith('.ts') ? '../../' : '../../../';
  const { version } = JSON.parse(readFileSync(new URL(`${folder}package.json`, import.meta.url), 'utf8')) as {
    version: string;
  };
  return version;
}
