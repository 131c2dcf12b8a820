import fc from 'fast-check';

/**
 * The same generated cases in every run, so that a red build is about the change and can be repeated. `FC_SEED=random`
 * looks for new ones, any other number repeats a seed that a failure printed.
 */
const wanted = process.env['FC_SEED'] ?? '20261130';
if (wanted !== 'random') fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(wanted) });
