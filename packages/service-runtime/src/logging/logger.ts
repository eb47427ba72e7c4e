import type { Writable } from 'node:stream';
import { type Clock, type LogFields, type Logger, systemClock, type TraceIds } from '@platform/kernel';
import type { AuditLog } from '@platform/resources';
import { createLogger as createWinston, format as formats } from 'winston';
import Transport from 'winston-transport';
import { createAuditLog } from './audit-log.ts';
import { renderJson, renderText } from './lines.ts';

const severity = { error: 0, warn: 1, info: 2, debug: 3 } as const;

/** The name of a level, from the most severe to the least. */
export type Level = keyof typeof severity;

/** The options of a log: `log.level`, `log.format`, and the process that writes it. */
export interface LogOptions {
  readonly level: Level;
  readonly format: 'json' | 'text';
  /** Identifies the process when several share one output, e.g. `api`. */
  readonly service: string;
  /** Standard output by default. */
  readonly destination?: Writable;
  readonly clock?: Clock;
  /** The ids of the current span, added to each line; absent when tracing is off. */
  readonly traceIds?: () => TraceIds | null;
}

/** The log of a process. */
export interface Logging {
  readonly logger: Logger;
  /** Audit records, target `platform::audit`: written at every level. */
  readonly audit: AuditLog;
  /** A logger for another target, such as `platform::deprecation`: written at every level. */
  target(name: string): Logger;
  /** Whether lines of this level are written, so that callers can skip preparing them. */
  isEnabled(level: Level): boolean;
  /** Resolves when everything logged so far is written. Call it last, before the process exits. */
  close(): Promise<void>;
}

/** Creates the log of a process, on winston. */
export function createLogger(options: LogOptions): Logging {
  const { level: threshold, format, service, destination = process.stdout, clock = systemClock } = options;
  const { traceIds } = options;
  const transport = new BatchingTransport(destination);
  // Lines are already rendered. With its default format, winston would render each again as JSON.
  const unchanged = formats((line) => line)();
  const winston = createWinston({
    levels: severity,
    level: 'debug',
    format: unchanged,
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
  // Before the transport writes its collected lines.
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

/** A rendered line, as winston passes it to the transport. */
export interface RenderedLine {
  readonly rendered: string;
}

/**
 * Collects the lines of one tick of the event loop and writes them together, because a system call per line costs more than rendering
 * the line. Writes the remaining lines when the process exits.
 */
class BatchingTransport extends Transport {
  readonly #destination: Writable;
  #pending = '';
  /** Whether the last write failed, perhaps within a line: the next one must not go on there. */
  #isCut = false;
  readonly #flush = () => this.flush();

  constructor(destination: Writable) {
    super();
    this.#destination = destination;
    // A service must survive a closed pipe, and a full disk.
    destination.on('error', () => {
      this.#isCut = true;
    });
    process.once('exit', this.#flush);
  }

  override log(line: RenderedLine, next: () => void): void {
    if (this.#pending === '') setImmediate(this.#flush);
    this.#pending += `${line.rendered}\n`;
    next();
  }

  /** Writes the collected lines. */
  flush(): void {
    if (this.#pending === '') return;
    const lines = this.#isCut ? `\n${this.#pending}` : this.#pending;
    this.#pending = '';
    this.#isCut = false;
    this.#destination.write(lines);
  }

  /** Resolves when the destination has accepted everything logged so far. */
  drained(): Promise<void> {
    process.off('exit', this.#flush);
    this.flush();
    return new Promise((resolve) => this.#destination.write('', () => resolve()));
  }
}
