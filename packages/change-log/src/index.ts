export type { ChangeEntry } from './model/change-entry.ts';
export type { CloudEvent } from './model/cloud-event.ts';
export {
  type Cursor,
  comparePlaces,
  cursorExpired,
  cursorInvalid,
  type Place,
  ticksBehind,
} from './model/cursor.ts';
export type { InitialPage, ListPlace } from './model/initial-page.ts';
export type { Scope } from './model/scope.ts';
export { type Dialect, mediaTypes, type Shape } from './model/stream-event.ts';
export type { DeliveryState, PauseReason, Phase, StoredSubscription } from './model/subscription.ts';
export type { ChangeLog, ChangePage } from './ports/change-log.ts';
export type { DeliveryMetrics, DeliveryReport, StatusWriter, WebhookSigner } from './ports/receivers.ts';
export type { Sink } from './ports/sink.ts';
export type { StateReader } from './ports/state-reader.ts';
export type { SubscriptionStore } from './ports/subscription-store.ts';
export type { TickerLease, TickOutcome, Ticks } from './ports/ticks.ts';
export type { Timers } from './ports/timers.ts';
export type { Matches, Sees } from './rules/event-type.ts';
export {
  type BeginDeps,
  type Beginning,
  beginCollection,
  beginCollectionByNames,
  beginEverything,
  beginItem,
  type Scopes,
  type Selectors,
} from './usecases/begin-stream.ts';
export { stateReader } from './usecases/state-reader.ts';
export { type DeliveryDeps, SubscriptionDelivery } from './usecases/subscription-delivery.ts';
export { Ticker, type TickerDeps } from './usecases/ticker.ts';
export type { InitialState, Stream, StreamSettings } from './usecases/watcher.ts';
export { type Admission, Watches, type WatchLimits, type WatchMetrics } from './usecases/watches.ts';
