export type { InitialPage, ListPlace } from './model/initial-page.ts';
export type { Scope } from './model/scope.ts';
export { type Dialect, mediaTypes, type Shape } from './model/stream-event.ts';
export type { Sink } from './ports/sink.ts';
export type { StateReader } from './ports/state-reader.ts';
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
} from './usecases/begin-stream.ts';
export { stateReader } from './usecases/state-reader.ts';
export type { InitialState, OpenedStream, Stream } from './usecases/watcher.ts';
export { type Admission, Watches, type WatchLimits, type WatchMetrics } from './usecases/watches.ts';
