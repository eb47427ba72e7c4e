export {
  type BatchOperation,
  type BatchResult,
  type ClientOptions,
  createClient,
  type PlatformClient,
  type SearchOptions,
  type SearchResults,
} from './client.ts';
export { Collection } from './collection.ts';
export type * from './generated/typed-resources.ts';
export { type BackOff, backOffDelay, defaultRetryPolicy, type RetryPolicy } from './http/backoff.ts';
export { lossyNumbers } from './http/lossy-numbers.ts';
export { type FieldError, isPlatformError, PlatformError } from './http/platform-error.ts';
export type { ApiRequest, ApiResponse, Json } from './http/transport.ts';
export type { LeaderElectionOptions } from './leader-election/options.ts';
export {
  type Condition,
  type ConditionChange,
  findCondition,
  isConditionTrue,
  withCondition,
} from './model/conditions.ts';
export type { ItemKey, KindPath, Subresource } from './model/paths.ts';
export type * from './model/resource.ts';
export { isServerMetadata, noClientMetadata } from './model/resource.ts';
export type { BookmarkEvent, ChangeEvent, WatchEvent } from './model/watch-event.ts';
export type {
  ApplyOptions,
  CallOptions,
  Change,
  DryRunOptions,
  ListOptions,
  PatchOptions,
  RestoreOptions,
  WatchOptions,
} from './options.ts';
export { type FakeEvents, fakeEvents } from './reconcile/fake-events.ts';
export type { EventSource } from './reconcile/follow.ts';
export type {
  ControllerMetrics,
  FinalizeContext,
  FinalizeResult,
  OwnedKind,
  ReconcileContext,
  ReconcileOptions,
  ReconcileResult,
} from './reconcile/options.ts';
export { reconcile } from './reconcile/reconcile.ts';
export type { RateLimit } from './reconcile/token-bucket.ts';
export { type QueueDepth, type Retry, WorkQueue } from './reconcile/work-queue.ts';
export { sleep, systemTimers, type Timers } from './timers.ts';
export {
  type ExchangeOptions,
  exchangedToken,
  exchangeToken,
  type TokenResponse,
} from './tokens/exchanged-token.ts';
export { fileToken, staticToken, type TokenSource } from './tokens/token-source.ts';
export { type ResumeOptions, resumeWatch } from './watch/resume-watch.ts';
