export { type ClientOptions, createClient, type PlatformClient } from './client.ts';
export { type CallOptions, type Change, Collection, type ListOptions } from './collection.ts';
export { lossyNumbers } from './http/faithful.ts';
export { type Fault, isPlatformError, PlatformError } from './http/platform-error.ts';
export { defaultRetryPolicy, type RetryPolicy } from './http/retry.ts';
export type { Answer, Call, Json } from './http/transport.ts';
export type { ItemKey, KindPath, Subresource } from './model/paths.ts';
export type * from './model/resource.ts';
export { type BackOff, backOffDelay } from './reconcile/back-off.ts';
export type {
  FinalizeContext,
  FinalizeResult,
  ReconcileContext,
  ReconcileOptions,
  ReconcileResult,
} from './reconcile/options.ts';
export { reconcile } from './reconcile/reconcile.ts';
export { WorkQueue } from './reconcile/work-queue.ts';
export { sleep, systemTimers, type Timers } from './timers.ts';
export {
  type ExchangeAnswer,
  type ExchangeOptions,
  exchangedToken,
  exchangeToken,
} from './tokens/exchanged-token.ts';
export { fileToken } from './tokens/file-token.ts';
export { staticToken, type TokenSource } from './tokens/token-source.ts';
