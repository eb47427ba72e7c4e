import type { LogFields, Logger } from '@platform/kernel';

/** A logged line. */
export interface RecordedLine {
  readonly level: keyof Logger;
  readonly message: string;
  readonly fields: LogFields;
}

/** A logger that records its lines. */
export interface RecordingLogger extends Logger {
  readonly lines: readonly RecordedLine[];
  /** The fields of every line with this message, in order. */
  fieldsOf(message: string): readonly LogFields[];
  clear(): void;
}

/** Creates a {@link RecordingLogger}. */
export function recordingLogger(): RecordingLogger {
  const lines: RecordedLine[] = [];
  const at =
    (level: keyof Logger) =>
    (message: string, fields: LogFields = {}) =>
      void lines.push({ level, message, fields });
  return {
    lines,
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    fieldsOf: (wanted) => lines.filter(({ message }) => message === wanted).map(({ fields }) => fields),
    clear: () => void lines.splice(0),
  };
}
