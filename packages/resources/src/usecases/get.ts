import type { Resource } from '../model/resource.ts';
import type { ResourcePorts } from './ports.ts';
import { definitionOf, type ItemRequest, notFound } from './request.ts';

/** Reads one item, tombstoned or not. Throws `not_found`. */
export async function getResource(
  { reader }: Pick<ResourcePorts, 'reader'>,
  request: ItemRequest,
): Promise<Resource> {
  const result = await reader.get(request.ref, definitionOf(request));
  if (result.resource === null) throw notFound();
  return result.resource;
}
