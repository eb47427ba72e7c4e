export { backOffMs, longestBackOffMs } from './back-off.ts';
export { orderRegion } from './order-region.ts';
export { settleBatch } from './settle-batch.ts';
export { ownersOf } from './spread-tombstones.ts';
