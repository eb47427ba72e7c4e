export { createMemoryStore, type MemoryStore } from './store.ts';
