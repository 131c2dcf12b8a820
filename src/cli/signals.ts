import { inForeground } from './terminal.ts';

/** Everything a person, a shell or a supervisor sends. SIGKILL and SIGSTOP cannot be caught, SIGTSTP is for both. */
const FORWARDED = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2'] as const;

/** Those a terminal's keys send to the whole foreground group. */
const FROM_KEYS: ReadonlySet<NodeJS.Signals> = new Set(['SIGINT', 'SIGQUIT']);

/** Signals to this process, from the moment it is made: they never end it, they are the agent's. */
export interface Signals {
  /** Resolves with the first one. */
  readonly first: Promise<NodeJS.Signals>;
  /**
   * Passes each signal to `send`, unless the terminal has sent it to the agent, too; those that came before there was
   * an agent are passed at once.
   */
  forwardTo(send: (signal: NodeJS.Signals) => void): void;
  /** Later signals act as usual again. */
  stop(): void;
}

export function watchSignals(): Signals {
  let forward: ((signal: NodeJS.Signals) => void) | undefined;
  let arrived: (signal: NodeJS.Signals) => void;
  const first = new Promise<NodeJS.Signals>((resolve) => {
    arrived = resolve;
  });
  const early: NodeJS.Signals[] = [];
  const onSignal = (signal: NodeJS.Signals) => {
    arrived(signal);
    if (forward === undefined) early.push(signal);
    else if (!FROM_KEYS.has(signal) || !inForeground()) forward(signal);
  };
  for (const signal of FORWARDED) process.on(signal, onSignal);
  return {
    first,
    forwardTo(send) {
      forward = send;
      for (const signal of early.splice(0)) send(signal);
    },
    stop() {
      for (const signal of FORWARDED) process.off(signal, onSignal);
    },
  };
}
