import type { Command } from 'commander';
import type { ControlFlags } from './control-sockets.ts';
import type { Finish } from './grammar.ts';
import type { ResolveOptions } from './resolve.ts';

/** `pending`, `resolve` and `grants`: what people do at a command line with what is open, and with what is allowed. */
export function addControlCommands(program: Command, finish: Finish): void {
  withControlOptions(program.command('pending'))
    .summary('list what waits for an answer')
    .description(
      'Lists the open requests of every gateway, run and ask of this user on this machine, oldest first, at most 100. ' +
        'Refused beneath an agent.',
    )
    .addHelpText('after', '\nExit code: 0; 64 usage, 69 no gateway answers, 77 refused, 78 configuration.')
    .action(async (flags: ControlFlags) => {
      const { pending } = await import('./pending.ts');
      finish(await pending(flags));
    });

  withControlOptions(program.command('resolve'))
    .summary('answer a request from the command line')
    .description(
      'Answers one request as the user of this machine, by the same rules as a click: the binding must admit them ' +
        '(operators "*", or localUsers), and the first answer counts. Refused beneath an agent.',
    )
    .argument('<requestId>', 'as `handraise pending` lists it')
    .option('--option <id or label>', 'what is chosen, such as q0.o1; repeated for several', collect)
    .option('--other <text>', 'an answer in your own words, to a single question')
    .option('--notes <text>', 'a note on the choice, to a single question')
    .option('--answers <json>', 'all at once: {"answers":{"<question>":"<label>"}}; - reads standard input')
    .option('--skip', 'skip every question')
    .option('--decline', 'leave the decision to the agent')
    .option('--pending-id <id>', 'the agent’s own id; must be the request’s')
    .option('--session <id>', 'the session; must be the request’s')
    .addHelpText('after', RESOLVE_EXIT_CODES)
    .action(async (requestId: string, options: ResolveOptions) => {
      const { resolve } = await import('./resolve.ts');
      finish(await resolve(requestId, options));
    });

  addGrants(program, finish);
}

function addGrants(program: Command, finish: Finish): void {
  const command = withControlOptions(program.command('grants'))
    .summary('list what is allowed, and take it back')
    .description(
      'Lists what people allowed an agent for longer than one step and is good right now, by every gateway and run of ' +
        'this user on this machine. Refused beneath an agent.',
    )
    .helpCommand(false)
    .addHelpText('after', '\nExit code: 0; 64 usage, 69 no gateway answers, 77 refused, 78 configuration.')
    .action(async (flags: ControlFlags) => {
      const { grants } = await import('./grants.ts');
      finish(await grants(flags));
    });
  withControlOptions(command.command('revoke'))
    .summary('take one back')
    .description(
      'Takes a permission back, as the user of this machine: the binding must list them (grants.approvers, by ' +
        'localUsers). What runs already is not stopped. Refused beneath an agent.',
    )
    .argument('<requestId>', 'as `handraise grants` lists it')
    .addHelpText(
      'after',
      '\nExit code: 0 taken back; 3 over already or not known; 64 usage, 69 unavailable, 77 refused.',
    )
    .action(async (requestId: string, _: unknown, revoke: Command) => {
      const { revokeGrant } = await import('./grants.ts');
      // `grants --json revoke ID` means the same.
      finish(await revokeGrant(requestId, revoke.optsWithGlobals<ControlFlags>()));
    });
}

const RESOLVE_EXIT_CODES = `
Exit code: 0 the agent has the answer; 3 the request does not take it (any more), or the agent has not
confirmed it yet; 64 usage, or a choice that is not offered; 69 unavailable, try again; 77 refused;
78 configuration. --json names the case: {"code":…,"permissionCode":…,"sentence":…}.`;

function withControlOptions(command: Command): Command {
  return command
    .option('--json', 'print one JSON object')
    .option('--socket <path>', 'one control socket (default: the configured one and all of this user)')
    .option('--config <file>', 'configuration (default: HANDRAISE_CONFIG, else ~/.config/handraise/handraise.yaml)')
    .option('--verbose', 'print stacks of failures');
}

function collect(value: string, earlier: string[] = []): string[] {
  return [...earlier, value];
}
