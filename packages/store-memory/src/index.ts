export { MemoryChangeLog } from './change-log.ts';
export { createMemoryStore, type MemoryStore } from './store.ts';
