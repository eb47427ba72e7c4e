import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Json } from '../json.ts';
import { type Resource, SchemaDocument } from './document.ts';

/** The eight official meta-schemas of Draft 2020-12 by URI, as ajv ships them. Never fetched. */
export const metaSchemas: ReadonlyMap<string, Resource> = readMetaSchemas();

function readMetaSchemas(): ReadonlyMap<string, Resource> {
  const resources = new Map<string, Resource>();
  for (const [uri, entry] of Object.entries(new Ajv2020().schemas)) {
    if (entry === undefined) continue;
    const { root } = new SchemaDocument(entry.schema as Json, Number.POSITIVE_INFINITY, true);
    resources.set(uri.replace(/#$/, ''), root.resource);
  }
  return resources;
}
