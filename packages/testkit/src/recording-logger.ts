import type { LogFields, Logger } from '@platform/kernel';

/** One line that was logged. */
export interface RecordedLine {
  readonly level: keyof Logger;
  readonly message: string;
  readonly fields: LogFields;
}

/** A logger that keeps its lines for the test to look at. */
export interface RecordingLogger extends Logger {
  readonly lines: readonly RecordedLine[];
  /** The fields of every line with this message, in order. */
  fieldsOf(message: string): readonly LogFields[];
  clear(): void;
}

/** Makes a {@link RecordingLogger}. */
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
