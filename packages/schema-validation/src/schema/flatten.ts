import { formatChecks } from '../engines/formats.ts';
import { isObject, type Json, type JsonObject, step } from '../json.ts';
import type { Place, Resource, SchemaDocument } from './document.ts';
import { applicators, assertions, type Shape } from './keywords.ts';
import { resolve } from './references.ts';

/**
 * A schema without identifiers, in which every reference is `#` or `#/$defs/<n>`, so that the engines need not resolve `$id`, anchors
 * and dynamic scopes (ajv does so incorrectly). Contains only keywords that can make a document invalid, because ajv gives a meaning
 * to keywords that the draft does not define, such as `$async` and `nullable`.
 */
export interface FlatSchema {
  readonly schema: Json;
  /** The JSON pointer of the source of each subschema object. */
  readonly origins: ReadonlyMap<JsonObject, string>;
}

/** Resolving the references would create more subschemas than allowed. */
export class TooManySubschemasError extends Error {}

/** The dynamic scope (Core, section 7.1): for each `$dynamicAnchor` name, the first place that evaluation has entered. */
type Scope = ReadonlyMap<string, Place>;

/** Flattens a document whose references all resolve; throws TooManySubschemasError beyond `limit` subschemas. */
export function flatten(document: SchemaDocument, limit: number): FlatSchema {
  return new Flattening(limit).flatten(document.root);
}

/**
 * The target of a `$dynamicRef` depends on the dynamic scope, and the number of scopes is finite. So a referenced place is copied once for
 * each scope in which it is reached, and every reference in a copy has one fixed target.
 */
class Flattening {
  readonly #limit: number;
  readonly #origins = new Map<JsonObject, string>();
  readonly #numbers = new Map<Place, number>();
  /** The flat reference for each known place and scope. */
  readonly #references = new Map<string, string>();
  readonly #pending: { readonly name: string; readonly place: Place; readonly scope: Scope }[] = [];

  constructor(limit: number) {
    this.#limit = limit;
  }

  flatten(root: Place): FlatSchema {
    const scope = enter(new Map(), root.resource);
    this.#references.set(this.#key(root, scope), '#');
    const schema = this.#copy(root, scope);
    const definitions = new Map<string, Json>();
    // The list grows during the iteration.
    for (const { name, place, scope } of this.#pending) definitions.set(name, this.#copy(place, scope));
    if (isObject(schema) && definitions.size > 0)
      Object.assign(schema, { $defs: Object.fromEntries(definitions) });
    return { schema, origins: this.#origins };
  }

  #copy(place: Place, scope: Scope): Json {
    const { schema } = place;
    if (!isObject(schema)) return schema;
    const targets = this.#targets(place, scope);
    const members = this.#members(schema, place, scope);
    // `$ref` and `$dynamicRef` of one schema object cannot both become `$ref`.
    if (targets.length === 1) members.push(['$ref', targets[0] as string]);
    else if (targets.length > 1) {
      const { allOf } = Object.fromEntries(members);
      const references = targets.map(($ref) => ({ $ref }));
      members.push(['allOf', [...(Array.isArray(allOf) ? allOf : []), ...references]]);
    }
    const copy: JsonObject = Object.fromEntries(members);
    this.#origins.set(copy, place.pointer);
    if (this.#origins.size > this.#limit) throw new TooManySubschemasError();
    return copy;
  }

  #members(schema: JsonObject, place: Place, scope: Scope): [string, Json][] {
    const members: [string, Json][] = [];
    for (const [keyword, value] of Object.entries(schema)) {
      const applicator = applicators.get(keyword);
      if (applicator === undefined) {
        if (keyword === 'format' ? formatChecks.has(value) : assertions.has(keyword))
          members.push([keyword, value]);
      } else if (applicator.target !== 'nowhere') {
        const pointer = step(place.pointer, keyword);
        members.push([keyword, this.#subschemas(applicator.shape, value, pointer, place, scope)]);
      }
    }
    return members;
  }

  #subschemas(shape: Shape, value: Json, pointer: string, parent: Place, scope: Scope): Json {
    const child = (at: string): Json => {
      const place = parent.resource.document.places.get(at) as Place;
      return this.#copy(place, enter(scope, place.resource));
    };
    if (shape === 'one') return child(pointer);
    if (Array.isArray(value)) return value.map((_, index) => child(step(pointer, index)));
    const names = Object.keys(value as JsonObject);
    return Object.fromEntries(names.map((name) => [name, child(step(pointer, name))]));
  }

  /** The flat references for `$ref` and `$dynamicRef` of a place. */
  #targets({ schema, resource }: Place, scope: Scope): string[] {
    const { $ref, $dynamicRef } = schema as JsonObject;
    const targets: string[] = [];
    if ($ref !== undefined) targets.push(this.#reference(resolve($ref, resource) as Place, scope));
    if ($dynamicRef !== undefined)
      targets.push(this.#reference(dynamicTarget($dynamicRef as string, resource, scope), scope));
    return targets;
  }

  #reference(place: Place, outer: Scope): string {
    const scope = enter(outer, place.resource);
    const key = this.#key(place, scope);
    const known = this.#references.get(key);
    if (known !== undefined) return known;
    const name = String(this.#references.size);
    const reference = `#/$defs/${name}`;
    this.#references.set(key, reference);
    this.#pending.push({ name, place, scope });
    return reference;
  }

  #key(place: Place, scope: Scope): string {
    const anchors = [...scope].map(([name, target]) => `${name}=${this.#number(target)}`);
    return [this.#number(place), ...anchors.sort()].join(' ');
  }

  #number(place: Place): number {
    const number = this.#numbers.get(place) ?? this.#numbers.size;
    this.#numbers.set(place, number);
    return number;
  }
}

/** The scope after evaluation has entered a resource. Existing anchors take precedence. */
function enter(scope: Scope, { dynamicAnchors }: Resource): Scope {
  const added = [...dynamicAnchors].filter(([name]) => !scope.has(name));
  return added.length === 0 ? scope : new Map([...scope, ...added]);
}

/** The target of a `$dynamicRef` in a scope (Core, section 8.2.3.2). */
function dynamicTarget(reference: string, resource: Resource, scope: Scope): Place {
  const initial = resolve(reference, resource) as Place;
  const name = decodeURIComponent(reference.slice(reference.indexOf('#') + 1));
  if (!reference.includes('#') || initial.resource.dynamicAnchors.get(name) !== initial) return initial;
  return scope.get(name) ?? initial;
}
