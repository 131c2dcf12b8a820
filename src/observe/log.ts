import { type DestinationStream, multistream, pino } from 'pino';
import { sentenceOf } from '../core/errors.ts';
import type { Logger } from '../core/ports/logger.ts';
import { openLineFile } from './line-file.ts';
import { maskedFields } from './masked-fields.ts';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

export interface LogOptions {
  /** Path of the session's log file, made 0600. */
  readonly file?: string;
  /** Default false: in `run`, stderr belongs to the agent. */
  readonly stderr?: boolean;
  readonly level: LogLevel;
  /** Masks secrets in what is logged, ids excepted. Default: nothing is masked but the values of telling keys. */
  readonly mask?: (text: string) => string;
}

/** Keys that have no business in a log; whoever logs one by mistake logs stars. */
const SECRET_KEYS = ['token', 'botToken', 'appToken', 'authorization', 'password', 'secret'];

/**
 * JSON lines to a file, to stderr, to both or nowhere; never to stdout, which is the agent's or the bridge's protocol.
 * Written at once, so that a killed process leaves its last line. Logging never throws.
 */
export function openLog({
  file,
  stderr = false,
  level,
  mask = (text) => text,
}: LogOptions): Logger & { close(): void } {
  const target = file === undefined ? undefined : openFileTarget(file);
  const streams = [
    ...(target === undefined ? [] : [target.stream]),
    ...(stderr ? [pino.destination({ dest: 2, sync: true })] : []),
  ];
  const log = pino(
    {
      level,
      enabled: streams.length > 0,
      base: { pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: SECRET_KEYS.flatMap((key) => [key, `*.${key}`]), censor: '***' },
    },
    multistream(streams.map((stream) => ({ stream, level }))),
  );
  return {
    debug: (fields, message) => log.debug(maskedFields(fields, mask), mask(message)),
    info: (fields, message) => log.info(maskedFields(fields, mask), mask(message)),
    warn: (fields, message) => log.warn(maskedFields(fields, mask), mask(message)),
    error: (fields, message) => log.error(maskedFields(fields, mask), mask(message)),
    close: () => target?.close(),
  };
}

function openFileTarget(path: string): { stream: DestinationStream; close(): void } {
  const file = openLineFile(path, { durable: false });
  let state: 'open' | 'failed' | 'closed' = 'open';
  const report = (thrown: unknown): void => {
    // Said once, where a person may see it: there is no log left to say it in.
    if (state === 'open') process.stderr.write(`handraise: no more log: ${sentenceOf(thrown)}\n`);
    state = 'failed';
  };
  return {
    stream: {
      write(line) {
        // A late line of a component that is still stopping has nowhere to go.
        if (state === 'closed') return;
        try {
          file.append(line.trimEnd());
          state = 'open';
        } catch (thrown) {
          report(thrown);
        }
      },
    },
    close() {
      if (state !== 'closed') file.close();
      state = 'closed';
    },
  };
}
