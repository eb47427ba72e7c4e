import { Contention, OutcomeUnknown, StorageError, StorageUnavailable } from '@platform/kernel';
import { deadlineCode } from './deadlines.ts';

/** Every SQLSTATE that this package reacts to (PostgreSQL documentation, appendix A). */
export const sqlState = {
  uniqueViolation: '23505',
  serializationFailure: '40001',
  deadlockDetected: '40P01',
  lockNotAvailable: '55P03',
  queryCanceled: '57014',
  tooManyConnections: '53300',
  undefinedTable: '42P01',
  readOnlyTransaction: '25006',
} as const;

/** Failures that do not depend on the content of the transaction, so that it can be run again. */
const retryable: ReadonlySet<string> = new Set([
  sqlState.serializationFailure,
  sqlState.deadlockDetected,
  sqlState.lockNotAvailable,
]);

/**
 * States and driver codes that mean "the database cannot be reached or cannot serve now". A whole class where possible:
 * 08 connection, 53 resources exhausted, 57P shutdown or start-up, 28 and 3D refused logins, 25P transactions that took too long. A missing
 * table (42P01) is that of a database which is not migrated, or which is being restored.
 */
const unavailableState = /^(08...|53...|57P..|28...|3D000|25P03|25P04|25006|42P01|57014|58...)$/;
const unavailableCode: ReadonlySet<string> = new Set([
  'CONNECTION_CLOSED',
  'CONNECTION_ENDED',
  'CONNECTION_DESTROYED',
  'CONNECT_TIMEOUT',
  deadlineCode,
  'EAI_AGAIN',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOENT',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
]);

/** The SQLSTATE, driver or system code of an error, or null. */
export function stateOf(error: unknown): string | null {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : null;
  return typeof code === 'string' ? code : null;
}

/** Thrown by the work of a transaction that lost against others without an error of the server: it is run again like a serialization failure. */
export class LostRace extends Error {
  override readonly name = 'LostRace';
  readonly code = sqlState.serializationFailure;
}

/** Whether the transaction lost against others and may simply be run again. */
export function isRetryable(error: unknown): boolean {
  const state = stateOf(error);
  return state !== null && retryable.has(state);
}

/** Whether the error is about the database as a whole rather than about the statement. */
function isUnavailable(error: unknown): boolean {
  const state = stateOf(error);
  if (state === null) return false;
  return (
    unavailableCode.has(state) ||
    unavailableState.test(state) ||
    isNotifyQueueFull(error, state) ||
    isRefusedLogin(error, state)
  );
}

/** An operator has closed the database (`allow_connections false`, 55000), or has taken the right to connect (42501), as during a restore. */
function isRefusedLogin(error: unknown, state: string): boolean {
  return (state === '55000' || state === '42501') && severityOf(error) === 'FATAL';
}

/** A listener that is idle in a transaction can fill the notification queue; commits that notify fail then. */
function isNotifyQueueFull(error: unknown, state: string): boolean {
  return state === '54000' && (error as { routine?: string }).routine === 'PreCommit_Notify';
}

/** The name of the constraint that a violation is about, or null. */
export function violatedConstraint(error: unknown): string | null {
  if (typeof error !== 'object' || error === null || !('constraint_name' in error)) return null;
  return typeof error.constraint_name === 'string' ? error.constraint_name : null;
}

/** Whether the error is that of a statement timeout, translated by {@link translateError}. */
export function tookTooLong(error: unknown): boolean {
  return error instanceof StorageUnavailable && stateOf(error.cause) === sqlState.queryCanceled;
}

/**
 * Whether the connection cannot be used again: it broke, the server ends the session (FATAL, PANIC, 57P01 to 57P05, class 08), or it
 * leads to a server that does not accept writes (25006).
 */
export function endsConnection(error: unknown): boolean {
  const severity = severityOf(error);
  if (severity === null) return true;
  return severity !== 'ERROR' || /^(08...|57P0[1-5]|25006)$/.test(stateOf(error) ?? '');
}

/** Whether the server says that it rolled back. A session may also end right after a commit. */
function provesRollback(error: unknown): boolean {
  return severityOf(error) === 'ERROR' && !stateOf(error)?.startsWith('08');
}

/** The severity of an error that a server sent, or null for other errors. Some poolers send the localized field only. */
function severityOf(error: unknown): string | null {
  if (!(error instanceof Error) || error.name !== 'PostgresError') return null;
  const { severity, severity_local: local } = error as { severity?: string; severity_local?: string };
  return severity ?? local ?? 'FATAL';
}

/** Whether the server refused the statement, so that nothing was written. */
export function isRefusedByServer(error: unknown): boolean {
  return error instanceof Contention || (provesRollback(error) && !isUnavailable(error));
}

/** Whether the statement names a table that does not exist, also once the error is translated by {@link translateError}. */
export function isTableMissing(error: unknown): boolean {
  return stateOf(error instanceof StorageUnavailable ? error.cause : error) === sqlState.undefinedTable;
}

/** Whether another transaction held a row or a table for longer than `lock_timeout`. `NOWAIT` has the same state, and another routine. */
function isLockTimeout(error: unknown): boolean {
  return (
    stateOf(error) === sqlState.lockNotAvailable &&
    (error as { routine?: string }).routine === 'ProcessInterrupts'
  );
}

/**
 * Translates a driver error into the error that callers see: a StorageError for an outage or a lock timeout, else the error as it is.
 * `unknown` says that a write or a commit was sent: unless the server says that it rolled back, it may have been committed.
 */
export function translateError(error: unknown, unknown = false): unknown {
  if (isLockTimeout(error)) {
    return new Contention('Another transaction keeps a lock that this request needs; try again.', error);
  }
  if (error instanceof StorageError || !isUnavailable(error)) return error;
  if (unknown && !provesRollback(error)) {
    return new OutcomeUnknown('The answer of the database was lost; the write may have happened.', error);
  }
  return new StorageUnavailable(outageOf(error), error);
}

/** A server that refuses for now, with a full disk or without free connections, was reached. */
function outageOf(error: unknown): string {
  if (isTableMissing(error)) return 'The database is not migrated.';
  if (stateOf(error) === sqlState.queryCanceled) return 'The database took too long.';
  return severityOf(error) === null ? 'The database cannot be reached.' : 'The database cannot serve now.';
}

/** The error of whatever would need a connection after the database was closed. */
export function shuttingDown(): StorageUnavailable {
  return new StorageUnavailable('The service is shutting down.');
}
