import type { Agents, TerminalLine, TerminalScreen } from './agent-run.ts';

/** Several agents in one terminal, each line with the name of its own. */
export function together(named: ReadonlyMap<string, Agents>): Agents {
  const all = [...named.values()];
  const listeners = new Set<(line: TerminalLine | undefined) => void>();
  let lines: readonly TerminalLine[] = [];
  const width = Math.max(...[...named.keys()].map((name) => name.length));
  for (const [name, agent] of named) {
    agent.onChange((line) => {
      const shown = line && { ...line, text: `${name.padEnd(width)} │ ${line.text}` };
      if (shown !== undefined) lines = [...lines, shown];
      for (const listener of listeners) listener(shown);
    });
  }
  return {
    get screen(): TerminalScreen {
      const screens = all.map(({ screen }) => screen);
      const [shown = screens[0]] = (['running', 'failed'] as const).flatMap((state) =>
        screens.filter((screen) => screen.state === state),
      );
      return { state: shown?.state ?? 'done', note: shown?.note ?? '', lines };
    },
    get ended() {
      return Promise.all(all.map(({ ended }) => ended)).then((codes) => Math.max(...codes));
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    start() {
      if (all.some(({ screen }) => screen.state === 'running')) return false;
      lines = [];
      for (const agent of all) agent.start();
      return true;
    },
    async stop() {
      await Promise.all(all.map((agent) => agent.stop()));
    },
  };
}
