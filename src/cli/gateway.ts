import { loadConfig } from '../config/load.ts';
import { stateDirectory } from '../config/state-dir.ts';
import { systemClock } from '../core/clock.ts';
import { newRandomId } from '../core/ids.ts';
import { createRedactor } from '../core/redact/redactor.ts';
import { startGatewayProcess } from '../gateway/process.ts';
import { openLog } from '../observe/log.ts';
import { processRedactor } from '../owner/redaction.ts';
import { EXIT } from './exit-codes.ts';
import { catchStrayFailures } from './stray-failures.ts';

export interface GatewayFlags {
  readonly config?: string;
  readonly verbose?: boolean;
}

/** How long a stopping gateway goes on with what it has begun, in ms; supervisors wait 10 s at least before they kill. */
const GRACE_MS = 8_000;

/**
 * `handraise gateway`: serves until SIGTERM or SIGINT, then drains and returns 0; a second signal ends it at once. The
 * log goes to stderr, one line on stdout says where the probes are.
 */
export async function gateway({ config: file, verbose = false }: GatewayFlags): Promise<number> {
  const stray = catchStrayFailures();
  const stopping = firstSignal();
  const level = verbose ? 'debug' : 'info';
  // Nothing is known yet that only this process knows.
  let redactor = createRedactor();
  const log = openLog({ stderr: true, level, mask: (text) => redactor.text(text) });
  try {
    const config = await loadConfig({ flags: { config: file }, env: process.env });
    redactor = processRedactor(config, process.env);
    const starting = startGatewayProcess({
      config,
      stateDirectory: stateDirectory(process.env),
      clock: systemClock,
      newId: newRandomId,
      log,
      redactor,
    });
    const running = await Promise.race([starting, stray.first, stopping]);
    // Owners have not been told of it yet: there is nothing to drain.
    if (typeof running === 'string') return EXIT.ok;
    stray.logTo(log);
    process.stdout.write(`handraise gateway is ready; it answers ${running.url}/readyz\n`);
    const signal = await stopping;
    log.info({ signal }, 'the gateway is stopping');
    await running.stop(GRACE_MS);
    return EXIT.ok;
  } finally {
    stray.stop();
    log.close();
  }
}

/** The next one of its kind acts as usual again. */
function firstSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, resolve);
  });
}
