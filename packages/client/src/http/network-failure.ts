import type { PlatformError } from './platform-error.ts';

/** The codes of Node.js and of its `fetch` (undici) for a connection that ended before the response was complete. */
const lostCodes: ReadonlySet<unknown> = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);

interface Failure {
  readonly cause?: unknown;
  readonly errors?: readonly unknown[];
  readonly message?: string;
  readonly code?: unknown;
}

/** The message of the innermost cause of a failed `fetch`, which itself only says `fetch failed`. */
export function reasonOf(error: unknown): string {
  const inner = innerOf(error);
  const { message } = (error ?? {}) as Failure;
  return inner === undefined ? withoutOpenSslText(message ?? String(error)) : reasonOf(inner);
}

/**
 * Whether the connection was lost, as when a replica stops: the request may have been served. False for a connection that cannot be made,
 * and for a timeout.
 */
export function isConnectionLost({ code, cause }: PlatformError): boolean {
  if (code !== 'unreachable') return false;
  let failure = cause;
  for (let inner = innerOf(failure); inner !== undefined; inner = innerOf(failure)) failure = inner;
  return lostCodes.has((failure as Failure | undefined)?.code);
}

function innerOf(error: unknown): unknown {
  const { cause, errors } = (error ?? {}) as Failure;
  return cause ?? errors?.[0];
}

/** OpenSSL reports `<thread>:error:<number>:<library>:<function>:<reason>:<file>:<line>:`; only the reason helps a reader. */
function withoutOpenSslText(message: string): string {
  const [, reason] = /(?:^|:)error:[0-9A-F]+:[^:]*:[^:]*:([^:]+):/i.exec(message) ?? [];
  if (reason === undefined) return message;
  const isPlainHttp = reason === 'wrong version number' || reason === 'packet length too long';
  return isPlainHttp
    ? 'the server does not use TLS; try http:// instead of https://'
    : `TLS error: ${reason}`;
}
