import { type JsonValue, parseValue, stringOf } from './json-value.ts';
import type { Resource } from './resource.ts';
import { SelectorFault } from './selector-fault.ts';

/** One condition on a field. A field that is absent has the empty value. */
export interface FieldRequirement {
  /** One of {@link metadataFields}, or `spec.` and the names of a field that the version declares as selectable. */
  readonly field: string;
  readonly equal: boolean;
  readonly value: string;
}

/** Conditions that all hold; [] matches every resource. */
export type FieldSelector = readonly FieldRequirement[];

/** The fields that every kind has. */
const metadataFields: readonly string[] = [
  'metadata.name',
  'metadata.uid',
  'metadata.deletionTimestamp',
  'metadata.ownerReferences.uid',
];

const uidFields = new Set(['metadata.uid', 'metadata.ownerReferences.uid']);

/** Whether the resource fulfils every requirement. */
export function matchesFields(selector: FieldSelector, resource: Resource): boolean {
  return selector.every(({ field, equal, value }) => hasValue(resource, field, value) === equal);
}

/** The only name that a selector lets through; undefined when it lets several through. A text that is no selector lets none through. */
export function selectedName(text: string, selectable: readonly string[]): string | undefined {
  try {
    return parseFieldSelector(text, selectable).find(({ field, equal }) => field === 'metadata.name' && equal)
      ?.value;
  } catch (error) {
    if (error instanceof SelectorFault) return undefined;
    throw error;
  }
}

function hasValue(resource: Resource, field: string, value: string): boolean {
  switch (field) {
    case 'metadata.name':
      return resource.name === value;
    case 'metadata.uid':
      return resource.uid === value;
    case 'metadata.deletionTimestamp':
      return (resource.deletionTimestamp ?? '') === value;
    case 'metadata.ownerReferences.uid':
      return value === ''
        ? resource.ownerReferences.length === 0
        : resource.ownerReferences.some(({ uid }) => uid === value);
    default:
      return specValue(resource, field) === value;
  }
}

/** The parsed specs: many streams may compare one resource. */
const parsedSpecs = new WeakMap<Resource, JsonValue>();

function parsedSpec(resource: Resource): JsonValue {
  const parsed = parsedSpecs.get(resource) ?? parseValue(resource.spec);
  parsedSpecs.set(resource, parsed);
  return parsed;
}

/** The value of a field of `spec` as text, empty when it is absent or no scalar. Numbers are compared as they are written, as by lists. */
function specValue(resource: Resource, field: string): string {
  let value: JsonValue | undefined = parsedSpec(resource);
  for (const step of field.split('.').slice(1)) value = value instanceof Map ? value.get(step) : undefined;
  if (typeof value !== 'string' || value === 'null') return '';
  return stringOf(value) ?? value;
}

/**
 * Parses a field selector in the grammar of Kubernetes: `field=value`, `field==value`, `field!=value`, separated by commas; a backslash
 * takes the meaning off a comma, an equals sign or a backslash in a value. `selectable` are the fields of `spec` that may be selected by.
 * @throws SelectorFault with the position of the fault.
 */
export function parseFieldSelector(text: string, selectable: readonly string[]): FieldSelector {
  const requirements: FieldRequirement[] = [];
  const term = /((?:\\.|[^,\\])*)(,|$)/sy;
  for (let at = 0; at <= text.length; at = term.lastIndex) {
    term.lastIndex = at;
    const [, part, comma] = term.exec(text) ?? [];
    if (part === undefined)
      throw new SelectorFault('a backslash must be followed by a character', text.length - 1);
    // Kubernetes ignores empty terms.
    if (part.trim() !== '') requirements.push(parseTerm(part, at, selectable));
    if (comma === '') break;
  }
  return requirements;
}

function parseTerm(term: string, at: number, selectable: readonly string[]): FieldRequirement {
  const [, name = '', operator, escaped = ''] =
    /^([^=!\\]*)(==|!=|=)((?:\\[,=\\]|[^=\\])*)$/.exec(term) ?? [];
  if (operator === undefined) throw new SelectorFault('expected field=value or field!=value', at);
  const field = name.trim();
  const known = [...metadataFields, ...selectable];
  if (!known.includes(field))
    throw new SelectorFault(
      `${JSON.stringify(field.slice(0, 100))} is no field to select by (${known.join(', ')})`,
      at,
    );
  const value = escaped.replace(/\\(.)/gs, '$1');
  // Attack: PostgreSQL refuses NUL in a text, so that the answer would be a fault of the service.
  if (value.includes('\0')) throw new SelectorFault('a value cannot contain NUL', at);
  return { field, equal: operator !== '!=', value: uidFields.has(field) ? value.toLowerCase() : value };
}
