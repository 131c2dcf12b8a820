import { failureOf } from './cli/failure.ts';
import { createProgram } from './cli/grammar.ts';

// argv → one lazily imported command → exit code. Nothing else happens here.

let exitCode: number | undefined;
let verbose = false;

const program = createProgram((code) => {
  exitCode = code;
});
program.hook('preAction', (_, command) => {
  verbose = command.opts()['verbose'] === true;
});

try {
  await program.parseAsync(process.argv.slice(2), { from: 'user' });
} catch (thrown) {
  const failure = failureOf(thrown, verbose);
  process.stderr.write(failure.text);
  exitCode = failure.exitCode;
}
// A command has ended when it says so, whatever a library may still hold open.
if (exitCode !== undefined) process.exit(exitCode);
