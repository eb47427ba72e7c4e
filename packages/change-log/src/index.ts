export type { ChangeEntry, RemovedResource } from './model/change-entry.ts';
export { type Cursor, comparePlaces, cursorExpired, cursorInvalid, type Place } from './model/cursor.ts';
export type { ChangeLog, ChangePage } from './ports/change-log.ts';
export type { TickerLease, TickOutcome, Ticks } from './ports/ticks.ts';
export { Ticker, type TickerDeps } from './usecases/ticker.ts';
