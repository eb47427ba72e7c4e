import { listResources, renderPage } from '@platform/resources';
import type { Operation } from './call.ts';
import { envelopeAt } from './render.ts';
import { collectionRequest } from './requests.ts';

/** `GET` of a collection: one page, ordered by name. */
export const list: Operation = async (call) => {
  const request = collectionRequest(call);
  const { group, kind } = request.collection;
  const page = await listResources(call.ports, { ...request, query: call.query() });
  const items = page.items.map((item) => envelopeAt(item, call.located));
  return { status: 200, text: renderPage(items, `${group}/${request.version}`, `${kind}List`, page.next) };
};
