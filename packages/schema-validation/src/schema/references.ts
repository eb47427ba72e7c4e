import type { Fault } from '@platform/kernel';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { at, isObject, type Json, step } from '../json.ts';
import { type Place, type Resource, SchemaDocument, withoutFragment } from './document.ts';

/** The official meta-schemas of Draft 2020-12 by URI, as ajv ships them. They are never fetched. */
const metaSchemas: ReadonlyMap<string, Resource> = readMetaSchemas();

/** Attack (SSRF): a reference makes the server send requests into its own network. So references are never fetched. */
const unresolvedMessage = 'does not resolve inside the schema, and references are never fetched';

/**
 * Resolves a reference in `from`, in the same document or in an official meta-schema; undefined if there is no such place. A pointer may
 * point below an unknown keyword; the value there is then read as a schema.
 */
export function resolve(reference: Json | undefined, from: Resource): Place | undefined {
  if (typeof reference !== 'string' || !URL.canParse(reference, from.uri)) return undefined;
  const uri = new URL(reference, from.uri).href;
  const base = withoutFragment(uri);
  const resource = from.document.resources.get(base) ?? metaSchemas.get(base);
  if (resource === undefined) return undefined;
  const fragment = decode(uri.slice(base.length + 1));
  if (fragment === undefined) return undefined;
  if (fragment !== '' && !fragment.startsWith('/')) return resource.anchors.get(fragment);
  return placeAt(resource, fragment);
}

function decode(fragment: string): string | undefined {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return undefined;
  }
}

function placeAt(resource: Resource, pointer: string): Place | undefined {
  const { document } = resource;
  const full = resource.pointer + pointer;
  const known = document.places.get(full);
  if (known !== undefined) return known;
  const schema = at(document.root.schema, full);
  if (typeof schema !== 'boolean' && !isObject(schema)) return undefined;
  return document.read(schema, full, enclosing(document, full));
}

/** The resource of a pointer below an unknown keyword: that of the nearest known ancestor. */
function enclosing(document: SchemaDocument, pointer: string): Resource {
  for (let end = pointer.lastIndexOf('/'); end > 0; end = pointer.lastIndexOf('/', end - 1)) {
    const ancestor = document.places.get(pointer.slice(0, end));
    if (ancestor !== undefined) return ancestor.resource;
  }
  return document.root.resource;
}

/** A fault for every reference that does not resolve, whether it is reachable or not. */
export function referenceFaults(document: SchemaDocument): Fault[] {
  const faults: Fault[] = [];
  // Resolving a pointer may add places; the iterator of a Map visits those as well.
  for (const { schema, resource, pointer } of document.places.values()) {
    if (!isObject(schema)) continue;
    for (const keyword of ['$ref', '$dynamicRef']) {
      const reference = schema[keyword];
      if (reference === undefined || resolve(reference, resource) !== undefined) continue;
      faults.push({ path: step(pointer, keyword), message: unresolvedMessage });
    }
  }
  return faults;
}

function readMetaSchemas(): ReadonlyMap<string, Resource> {
  const resources = new Map<string, Resource>();
  for (const [uri, entry] of Object.entries(new Ajv2020().schemas)) {
    if (entry === undefined) continue;
    const { root } = new SchemaDocument(entry.schema as Json, Number.POSITIVE_INFINITY, true);
    resources.set(uri.replace(/#$/, ''), root.resource);
  }
  return resources;
}
