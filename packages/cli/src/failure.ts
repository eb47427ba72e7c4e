import { PlatformError } from '@platform/client';
import type { Exit } from './exit-codes.ts';

/** What the person is told, in one line, with the way out where there is one. */
export class Failure extends Error {
  override readonly name = 'Failure';
  readonly exit: Exit;
  /** What to do about it: a command, or a few words. */
  readonly wayOut: string | undefined;
  /** Further lines, such as every fault of a document. */
  readonly details: readonly string[];

  constructor(exit: Exit, message: string, wayOut?: string, details: readonly string[] = []) {
    super(message);
    this.exit = exit;
    this.wayOut = wayOut;
    this.details = details;
  }
}

const exitsByStatus: Readonly<Record<number, Exit>> = {
  0: 'unavailable',
  400: 'invalid',
  401: 'unauthenticated',
  403: 'forbidden',
  404: 'notFound',
  405: 'invalid',
  409: 'conflict',
  413: 'invalid',
  415: 'invalid',
  422: 'invalid',
  429: 'unavailable',
  503: 'unavailable',
};

const waysOut: Readonly<Record<string, string>> = {
  unauthenticated: 'platform login',
  forbidden: 'platform whoami tells who you are; the resource API is for operators',
  unknown_collection: 'platform kinds',
  revision_conflict: 'run the command again',
  definition_in_use: 'delete its resources first: platform get <kind>',
  version_in_use: 'rewrite its resources at the storage version first',
  parent_terminating: 'platform pending',
  definition_terminating: 'platform pending',
  storage_version_required: 'platform kinds shows which version that is',
  unreachable: 'is it running? --url or platform contexts names another one',
  timeout: 'is it running? --url or platform contexts names another one',
  unavailable: 'try again in a moment',
  contention: 'try again in a moment',
};

/** What any error is to the person. An error that nobody expected keeps its own words. */
export function failureOf(error: unknown): Failure {
  if (error instanceof Failure) return error;
  if (!(error instanceof PlatformError)) {
    return new Failure('failed', error instanceof Error ? error.message : String(error));
  }
  const { status, code, errors, requestId, retryAfterSeconds } = error;
  const exit = exitsByStatus[status] ?? 'failed';
  const detail = error.detail.replace(/\.$/, '');
  const wayOut =
    code === 'rate_limited' && retryAfterSeconds !== undefined
      ? `try again in ${retryAfterSeconds} seconds`
      : status >= 500 && status !== 503 && requestId !== undefined
        ? `ask for help with the request id ${requestId}`
        : waysOut[code];
  // One fault is in the detail already.
  const details = errors.length > 1 ? errors.map(({ path, message }) => `${path || '/'} ${message}`) : [];
  return new Failure(exit, `${detail} (${code})`, wayOut, details);
}
