import { randomUUID } from 'node:crypto';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Socket } from 'node:net';
import { Problem, type ProblemCode } from '@platform/kernel';
import type { Express } from 'express';
import { finalPrototypes } from '../http/prototypes.ts';
import { problemType } from '../http/send.ts';
import { renderProblem } from '../http/send-problem.ts';
import { trackConnections } from './connections.ts';

/** How long a client may take. Slow clients cost a socket each, so each phase has an end (milliseconds). */
interface ServerTimeouts {
  readonly headers: number;
  /** Headers and body together. */
  readonly request: number;
  /** Without a byte in either direction while a request is served: for clients that do not read their answer. Longer than any statement may take. */
  readonly silence: number;
  /** Longer than the idle time of usual load balancers, so that it is they who close. */
  readonly keepAlive: number;
  /** How often the first two are checked. */
  readonly checkEvery: number;
}

/** The limits of a server for its clients. */
export interface ServerLimits extends ServerTimeouts {
  /** Open connections; one more is closed at once. No bound when absent. */
  readonly maxConnections?: number;
}

/** The times of production. */
export const defaultTimeouts: ServerTimeouts = {
  headers: 10_000,
  request: 30_000,
  silence: 120_000,
  keepAlive: 65_000,
  checkEvery: 2_000,
};

// A path may hold 33 names of 253 characters and a token 8,192 bytes.
const maxHeaderSize = 32 * 1024;

/** The certificate of a server and its key, in PEM. */
export interface ServerCertificate {
  readonly cert: string;
  readonly key: string;
}

/** The HTTP server of the application, with TLS when it has a certificate; not listening yet. */
export function createApiServer(
  app: Express,
  limits: ServerLimits = defaultTimeouts,
  certificate: ServerCertificate | null = null,
): Server {
  const options = {
    ...finalPrototypes(app),
    maxHeaderSize,
    headersTimeout: limits.headers,
    requestTimeout: limits.request,
    keepAliveTimeout: limits.keepAlive,
    connectionsCheckingInterval: limits.checkEvery,
    // Node's own refusal would lack the headers of every response; the first step of the pipeline refuses instead.
    requireHostHeader: false,
  };
  const server =
    certificate === null ? createServer(options, app) : createTlsServer({ ...options, ...certificate }, app);
  // Attack: connections that are only held take memory and file descriptors from everybody else.
  trackConnections(server, certificate !== null, limits.maxConnections);
  server.timeout = limits.silence;
  // Attack: Node.js drops what comes after 2,000 headers, so that a second credential there is not seen. Their bytes are bounded above.
  server.maxHeadersCount = 0;
  // Whether the body is wanted is decided after the caller is authorized: see read-body.ts.
  server.on('checkContinue', app);
  // Any other expectation may be ignored (RFC 9110, section 10.1.1); Node's own refusal would lack the headers, too.
  server.on('checkExpectation', app);
  server.on('clientError', answerBrokenRequest);
  return server;
}

const codes: Readonly<Record<string, ProblemCode>> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
};

const details: Readonly<Record<string, string>> = {
  headers_too_large: 'The request line and headers are too long.',
  request_timeout: 'The request took too long to arrive.',
  malformed_request: 'The request is not valid HTTP.',
};

/** Answers requests that could not be parsed on the bare socket: bytes that are not HTTP, too long headers, too slow clients. */
function answerBrokenRequest(error: NodeJS.ErrnoException, stream: NodeJS.WritableStream): void {
  const socket = stream as Socket & { _httpMessage?: ServerResponse };
  // A second status line inside a response that has begun would be taken for its body.
  if (error.code === 'ECONNRESET' || !socket.writable || socket._httpMessage?.headersSent === true) {
    socket.destroy(error);
    return;
  }
  const code = codes[error.code ?? ''] ?? 'malformed_request';
  const problem = new Problem(code, details[code] as string);
  const id = randomUUID();
  const text = renderProblem(problem, { id, path: '' });
  socket.end(
    `HTTP/1.1 ${problem.status} \r\nConnection: close\r\nX-Request-Id: ${id}\r\n` +
      `X-Content-Type-Options: nosniff\r\nContent-Type: ${problemType}\r\n` +
      `Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
  );
}
