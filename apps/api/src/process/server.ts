import { createServer, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Express } from 'express';
import { finalPrototypes } from '../http/prototypes.ts';
import { answerBrokenRequest } from './broken-request.ts';
import { trackConnections } from './connections.ts';

/** How long a client may take. Slow clients cost a socket each, so each phase has an end (milliseconds). */
export interface ServerTimeouts {
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
