/**
 * An error of a store. Stores throw these instead of `Problem`, whose words are those of the API. One place of each app translates them
 * (`apps/api/src/http/error-handler.ts`).
 */
export abstract class StorageError extends Error {
  /** Stable; the API shows it as the code of the problem. */
  abstract readonly code: 'unavailable' | 'outcome_unknown' | 'contention';

  constructor(message: string, cause?: unknown) {
    super(message, { cause });
  }
}

/** The database did not do the work: it cannot be reached, is overloaded, or took too long. The work may be tried again. */
export class StorageUnavailable extends StorageError {
  override readonly name = 'StorageUnavailable';
  readonly code = 'unavailable';
}

/** A write was sent and its answer was lost. It may have been committed, so it must not be run again without looking. */
export class OutcomeUnknown extends StorageError {
  override readonly name = 'OutcomeUnknown';
  readonly code = 'outcome_unknown';
}

/** The work lost against concurrent writes to the same rows, also after its retries. Nothing was written. */
export class Contention extends StorageError {
  override readonly name = 'Contention';
  readonly code = 'contention';
}

/**
 * An error of the database in one line: what went wrong, and why in the words of the server or the driver, such as a refused password.
 * The URL of the database is in neither.
 */
export function explainError(error: Error): string {
  const cause = rootCauseOf(error);
  return cause === null ? error.message : `${error.message.replace(/\.$/, '')}: ${cause}`;
}

/** The message at the end of the chain of causes; null when there is none. An error of several addresses has a code and no message. */
export function rootCauseOf({ cause }: Pick<Error, 'cause'>): string | null {
  if (typeof cause !== 'object' || cause === null) return null;
  const { message, code } = cause as { readonly message?: string; readonly code?: string };
  return rootCauseOf(cause) ?? (message || (code ?? null));
}

/** Why a process is not ready, as `/readyz` says it to everybody: the message of the store without the words of the server. */
export function outageReason(error: unknown): string {
  if (!(error instanceof StorageError)) return 'the database cannot be reached';
  return (error.message[0] ?? '').toLowerCase() + error.message.slice(1).replace(/\.$/, '');
}
