export type {
  AuthorizationCode,
  AuthorizationCodeKey,
  AuthorizationCodeStore,
  CodeRoom,
} from './authorization-code-store.ts';
export { pageBytes, readBoundedPage } from './bounded-page.ts';
export { backoff, type Clock, monotonicClock, systemClock } from './clock.ts';
export { duplicateFields } from './duplicate-fields.ts';
export { groupByKey } from './group-by-key.ts';
export { type Html, html, page, style, trusted } from './html.ts';
export { isNumericDate, parseInstant } from './instant.ts';
export { escapePointer, jsonPointer, pointerSteps, schemaFaults, unescapePointer } from './json-pointer.ts';
export { JsonTokens } from './json-tokens.ts';
export { dnsLabel, dnsLabelPattern, foldEmailCase, isProviderName, type TxtLookup } from './names.ts';
export { OAuthError, type OAuthErrorCode, oauthErrorCodes } from './oauth-error.ts';
export { OutageLog, type OutagePhrases } from './outage-log.ts';
export {
  type Outbound,
  OutboundError,
  type OutboundFailure,
  OutboundRefusedError,
  type OutboundRequest,
  type OutboundResponse,
} from './outbound.ts';
export { challengeOf, isChallenge, verifiesChallenge } from './pkce.ts';
export { isPlainObject } from './plain-object.ts';
export {
  etagOf,
  meets,
  type Precondition,
  readPrecondition,
  requireMet,
  requireNoVersion,
  type Versioned,
} from './precondition.ts';
export {
  andMoreFaults,
  type Fault,
  type FaultReason,
  firstFaults,
  invalid,
  maxFaults,
  Problem,
} from './problem.ts';
export { type ProblemCode, problemCodes } from './problem-codes.ts';
export type { KeyRing, SealContext, Sealer } from './sealer.ts';
export {
  hasHash,
  isRandomValue,
  isSameSecret,
  type RandomBytes,
  randomValue,
  secretHash,
} from './secrets.ts';
export {
  Contention,
  explainError,
  OutcomeUnknown,
  outageReason,
  rootCauseOf,
  StorageError,
  StorageUnavailable,
} from './storage-error.ts';
export {
  type LogFields,
  type Logger,
  noTracer,
  type RequestSpan,
  type RequestTracer,
  type Span,
  type SpanAttributes,
  type SpanStart,
  type TraceIds,
  type Tracer,
} from './telemetry.ts';
