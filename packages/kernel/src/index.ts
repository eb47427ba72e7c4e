export type {
  AuthorizationCode,
  AuthorizationCodeKey,
  AuthorizationCodeStore,
} from './authorization-code-store.ts';
export { backoff } from './backoff.ts';
export { type Clock, monotonicClock, systemClock } from './clock.ts';
export { dnsLabel, dnsLabelPattern } from './dns-label.ts';
export { escapePointer, jsonPointer, schemaFaults } from './json-pointer.ts';
export type { LogFields, Logger } from './logger.ts';
export {
  OAuthError,
  type OAuthErrorCode,
  type OAuthErrorOptions,
  oauthErrorCodes,
} from './oauth-error.ts';
export {
  type Outbound,
  OutboundFailed,
  type OutboundFailure,
  type OutboundRefusal,
  OutboundRefused,
  type OutboundRequest,
  type OutboundResponse,
} from './outbound.ts';
export { challengeOf, isChallenge, verifies } from './pkce.ts';
export {
  etagOf,
  meets,
  type Precondition,
  readIfMatch,
  requireMet,
  type Versioned,
} from './precondition.ts';
export { type Fault, invalid, Problem, type ProblemOptions } from './problem.ts';
export { type ProblemCode, problemCodes } from './problem-codes.ts';
export type { RandomBytes } from './random.ts';
export { randomValue } from './random-value.ts';
export type { KeyRing, SealContext, Sealer } from './sealer.ts';
export { secretHash } from './secret-hash.ts';
export {
  noTracer,
  type RequestSpan,
  type RequestTracer,
  type Span,
  type SpanAttributes,
  type SpanStart,
  type TraceIds,
  type Tracer,
} from './tracing.ts';
export type { TxtLookup } from './txt-lookup.ts';
