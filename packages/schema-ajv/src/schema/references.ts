import type { Fault } from '@platform/kernel';
import { at, isObject, type Json, step } from '../json.ts';
import type { Place, Resource, SchemaDocument } from './document.ts';
import { withoutFragment } from './document.ts';
import { metaSchemas } from './meta-schemas.ts';

/** Why nothing else is tried: fetching what a client names is how a server is made to call its own network. */
const unresolved = 'does not resolve inside the schema, and references are never fetched';

/**
 * The place that a reference in `from` names: in the same document, or in an official meta-schema. Undefined when
 * there is none. A pointer may lead below an unknown keyword; what it finds there is read as a schema.
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

/** The resource that a pointer below an unknown keyword belongs to: that of the nearest known place above. */
function enclosing(document: SchemaDocument, pointer: string): Resource {
  for (let end = pointer.lastIndexOf('/'); end > 0; end = pointer.lastIndexOf('/', end - 1)) {
    const above = document.places.get(pointer.slice(0, end));
    if (above !== undefined) return above.resource;
  }
  return document.root.resource;
}

/** Every reference of the document that leads nowhere, reachable or not. */
export function referenceFaults(document: SchemaDocument): Fault[] {
  const faults: Fault[] = [];
  // Resolving a pointer may add places; a Map's iterator visits those as well.
  for (const { schema, resource, pointer } of document.places.values()) {
    if (!isObject(schema)) continue;
    for (const keyword of ['$ref', '$dynamicRef']) {
      const reference = schema[keyword];
      if (reference === undefined || resolve(reference, resource) !== undefined) continue;
      faults.push({ path: step(pointer, keyword), message: unresolved });
    }
  }
  return faults;
}
