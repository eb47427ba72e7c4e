/** The members of one structured log line. Secrets are never among them. */
export type LogFields = Readonly<Record<string, unknown>>;

/** Structured logging. One line a call; `message` is a stable phrase, the rest goes into `fields`. */
export interface Logger {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
}
