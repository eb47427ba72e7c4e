import type { Fault } from '@platform/kernel';

/** What the validation process is asked: whether a schema is acceptable, or what is wrong with a document. */
export type Request =
  | { readonly task: 'check'; readonly schema: string }
  | { readonly task: 'validate'; readonly key: string; readonly schema: string; readonly text: string };

/** What it says: once that it is ready, then for each request its faults, or the error that it failed with. */
export type Answer =
  | { readonly kind: 'ready' }
  | { readonly kind: 'faults'; readonly faults: readonly Fault[] }
  | { readonly kind: 'failed'; readonly error: string };
