import type { ProblemCode, RequestSpan } from '@platform/kernel';
import type { Principal } from '@platform/tokens';

/** What the pipeline knows of one request besides the HTTP message itself. */
export interface Exchange {
  /** Names the request in answers, logs and audit records; from the client when it sent a sane one. */
  readonly id: string;
  /** The path as it came, before any percent-decoding, without the query. */
  readonly path: string;
  /** The query as it came, without the `?`; empty when there is none. */
  readonly query: string;
  /** `process.hrtime`-like milliseconds at arrival, for durations only. */
  readonly startedAt: number;
  /** The template of the route that took the request, e.g. `/api/v1/projects/:project`: a metric label, so never client text. */
  route: string;
  /** Who asks, once the route has required it. */
  principal: Principal | null;
  /** Where the request shows in traces; null when it is not traced. */
  span: RequestSpan | null;
  /** Why it was refused, for traces; null when it was not. */
  problem: ProblemCode | null;
}

declare global {
  namespace Express {
    interface Request {
      /** Set by the first step of the pipeline; there in every later one. */
      exchange: Exchange;
    }
  }
}
