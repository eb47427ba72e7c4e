import type { CollectionRequest, ConditionalRequest, ItemRequest, Located } from '@platform/resources';
import type { Call } from './call.ts';

/** What a use case for one item is asked with. */
export function itemRequest({
  caller,
  requestId,
  located,
}: Call): ItemRequest & { readonly version: string } {
  const { target, collection, version } = located;
  if (target.form === 'collection') throw misrouted(located);
  return { caller, requestId, ref: target.ref, collection, version };
}

/** What a use case that writes to one item is asked with. */
export function writeRequest(call: Call): ConditionalRequest & { readonly version: string } {
  return { ...itemRequest(call), precondition: call.precondition() };
}

/** What a use case for a collection is asked with. */
export function collectionRequest({ caller, requestId, located }: Call): CollectionRequest {
  const { target, collection, version } = located;
  if (target.form !== 'collection' || collection === null) throw misrouted(located);
  return { caller, requestId, ref: target.collection, collection, version };
}

// The table of operations goes by the form of the target, so this is a mistake in the table.
function misrouted({ target }: Located): Error {
  return new Error(`no operation of this kind for ${target.form}`);
}
