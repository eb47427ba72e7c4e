import type { Fault } from '@platform/kernel';
import { isObject, type Json, type JsonObject, step } from '../json.ts';
import { subschemas } from './keywords.ts';

/** A schema resource (Core, section 4.3.5), identified by an `$id`, or the document itself. */
export interface Resource {
  /** Its absolute URI without a fragment. */
  readonly uri: string;
  readonly document: SchemaDocument;
  /** JSON pointer to its root in the document. */
  readonly pointer: string;
  readonly anchors: Map<string, Place>;
  /** The anchors that `$dynamicRef` searches in the dynamic scope. */
  readonly dynamicAnchors: Map<string, Place>;
}

/** A subschema at its position. Places are compared by identity. */
export interface Place {
  readonly schema: Json;
  readonly resource: Resource;
  /** JSON pointer into the document. */
  readonly pointer: string;
}

/** The base URI of a schema without `$id`. The host is reserved and cannot exist (RFC 2606). */
const defaultBase = 'https://schema.invalid/';

/** The only supported dialect (Core, section 8.1.1). */
export const dialect = 'https://json-schema.org/draft/2020-12/schema';

/** The namespace of the official meta-schemas. */
const reserved = 'https://json-schema.org/draft/2020-12/';

/** A parsed schema with every possible target of a reference. Collects faults instead of throwing. */
export class SchemaDocument {
  readonly places = new Map<string, Place>();
  readonly resources = new Map<string, Resource>();
  readonly faults: Fault[] = [];
  readonly root: Place;
  readonly #limit: number;
  readonly #official: boolean;

  /** Reads at most `limit` subschemas. `official` documents are the meta-schemas themselves. */
  constructor(schema: Json, limit: number, official = false) {
    this.#limit = limit;
    this.#official = official;
    this.root = this.read(schema, '');
  }

  /** Reads the schema at `pointer` with its subschemas. Called again for references to places below unknown keywords. */
  read(schema: Json, pointer: string, enclosing?: Resource): Place {
    const known = this.places.get(pointer);
    if (known !== undefined) return known;
    const { $id, $schema } = isObject(schema) ? schema : ({} as JsonObject);
    const identified = typeof $id === 'string' ? this.#identify($id, pointer, enclosing) : undefined;
    const resource = identified ?? enclosing ?? this.#resource(defaultBase, pointer);
    const place = { schema, resource, pointer };
    this.places.set(pointer, place);
    if (!isObject(schema)) return place;
    if ($schema !== undefined && $schema !== dialect && $schema !== `${dialect}#`)
      this.#fault(step(pointer, '$schema'), `must be "${dialect}"`);
    this.#addAnchors(place, schema);
    for (const child of subschemas(schema, pointer)) {
      if (this.places.size >= this.#limit) {
        this.#fault(child.pointer, `has more than ${this.#limit} subschemas`);
        break;
      }
      this.read(child.schema, child.pointer, resource);
    }
    return place;
  }

  #identify($id: string, pointer: string, enclosing: Resource | undefined): Resource | undefined {
    const path = step(pointer, '$id');
    const base = enclosing?.uri ?? defaultBase;
    if (!URL.canParse($id, base)) {
      this.#fault(path, 'must be a URI that can be resolved');
      return undefined;
    }
    const uri = withoutFragment(new URL($id, base).href);
    // Attack: a schema with this identifier replaces the meta-schema for all references.
    if (uri.startsWith(reserved) && !this.#official)
      this.#fault(path, 'belongs to the official meta-schemas');
    if (this.resources.has(uri)) this.#fault(path, 'identifies another subschema already');
    return this.#resource(uri, pointer);
  }

  #resource(uri: string, pointer: string): Resource {
    const resource = { uri, document: this, pointer, anchors: new Map(), dynamicAnchors: new Map() };
    this.resources.set(uri, resource);
    return resource;
  }

  #addAnchors(place: Place, schema: JsonObject): void {
    const { anchors, dynamicAnchors } = place.resource;
    for (const keyword of ['$anchor', '$dynamicAnchor']) {
      const name = schema[keyword];
      if (typeof name !== 'string') continue;
      const other = anchors.get(name);
      if (other !== undefined && other !== place)
        this.#fault(step(place.pointer, keyword), 'names another subschema already');
      anchors.set(name, place);
      if (keyword === '$dynamicAnchor') dynamicAnchors.set(name, place);
    }
  }

  #fault(path: string, message: string): void {
    if (this.faults.every((fault) => fault.path !== path)) this.faults.push({ path, message });
  }
}

/** A URI without its fragment. */
export function withoutFragment(uri: string): string {
  const hash = uri.indexOf('#');
  return hash === -1 ? uri : uri.slice(0, hash);
}
