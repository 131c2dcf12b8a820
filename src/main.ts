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

// The clock's timers keep no process alive. While a command runs, a pause with no connection open, such as between two
// attempts to reach Slack, is all there is, and Node would end in the middle of it with code 13 and without a word.
const running = setInterval(() => undefined, 2 ** 30);
try {
  await program.parseAsync(process.argv.slice(2), { from: 'user' });
} catch (thrown) {
  const failure = failureOf(thrown, verbose);
  process.stderr.write(failure.text);
  exitCode = failure.exitCode;
} finally {
  clearInterval(running);
}
// A command has ended when it says so, whatever a library may still hold open.
if (exitCode !== undefined) process.exit(exitCode);
