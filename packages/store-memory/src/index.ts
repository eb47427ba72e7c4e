export { MemoryChangeLog } from './change-log.ts';
export { createMemoryStore, type MemoryStore } from './store.ts';
export { createWatchedStore, type WatchedMemoryStore } from './watched-store.ts';
