import type { Writable } from 'node:stream';
import { type Clock, type LogFields, type Logger, systemClock, type TraceIds } from '@platform/kernel';
import type { AuditLog } from '@platform/resources';
import { createLogger as createWinston, format as formats } from 'winston';
import { createAuditLog } from './audit-log.ts';
import { BatchingTransport } from './batching-transport.ts';
import { renderJson, renderText } from './lines.ts';

const severity = { error: 0, warn: 1, info: 2, debug: 3 } as const;

/** The name of a level, from the most severe to the least. */
export type Level = keyof typeof severity;

/** How lines are written: `log.level`, `log.format`, and which process writes them. */
export interface LogOptions {
  readonly level: Level;
  readonly format: 'json' | 'text';
  /** Tells apart the processes that write to one place, e.g. `api`. */
  readonly service: string;
  /** Standard output by default. */
  readonly destination?: Writable;
  readonly clock?: Clock;
  /** Names the span that runs, for the lines that are written in it; absent where nothing is traced. */
  readonly traceIds?: () => TraceIds | null;
}

/** The log of a process. */
export interface Logging {
  readonly logger: Logger;
  /** Audit records, target `platform::audit`: written at every level. */
  readonly audit: AuditLog;
  /** A logger for another target, such as `platform::deprecation`: written at every level. */
  target(name: string): Logger;
  /** Whether lines of this level are written; lets callers save the making of a line. */
  isEnabled(level: Level): boolean;
  /** Resolves when everything logged so far is written. The last thing before a process ends. */
  close(): Promise<void>;
}

/** Makes the log of a process on winston. */
export function createLogger(options: LogOptions): Logging {
  const { level: threshold, format, service, destination = process.stdout, clock = systemClock } = options;
  const { traceIds } = options;
  const transport = new BatchingTransport(destination);
  // Lines come rendered. Without a format of its own winston would render each again, as JSON that nobody reads.
  const asItIs = formats((line) => line)();
  const winston = createWinston({
    levels: severity,
    level: 'debug',
    format: asItIs,
    transports: [transport],
  });
  const render = format === 'json' ? renderJson : renderText;
  const isEnabled = (level: Level) => severity[level] <= severity[threshold];

  const write = (level: Level, message: string, fields: LogFields, target?: string) => {
    const timestamp = new Date(clock.now()).toISOString();
    const origin = target === undefined ? { service } : { target };
    const traced = traceIds === undefined ? fields : { ...traceIds(), ...fields };
    const rendered = render({ timestamp, level, message, fields: traced, ...origin });
    winston.write({ level, message, rendered });
  };
  const loggerAt = (enabled: (level: Level) => boolean, target?: string): Logger => {
    const at =
      (level: Level) =>
      (message: string, fields: LogFields = {}) => {
        if (enabled(level)) write(level, message, fields, target);
      };
    return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
  };
  const audit = createAuditLog((message, fields) => write('info', message, fields, 'platform::audit'));
  // Before the transport hands on what it has.
  process.prependOnceListener('exit', audit.finish);
  return {
    logger: loggerAt(isEnabled),
    audit,
    target: (name) => loggerAt(() => true, name),
    isEnabled,
    close: () => {
      process.off('exit', audit.finish);
      audit.finish();
      return transport.drained();
    },
  };
}
