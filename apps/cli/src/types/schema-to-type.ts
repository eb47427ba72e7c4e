import { escapePointer } from '@platform/kernel';
import { Failure } from '../failure.ts';

/** Deeper schemas are recursive through something else than `$ref`, or generated. They become `unknown`. */
const maxDepth = 64;

/**
 * The TypeScript type of the values that a schema accepts, as far as types can say it: everything that the type cannot express is left
 * to the server. `names` has the names of the types of `$defs`, by their pointers.
 */
export function typeOf(schema: unknown, names: ReadonlyMap<string, string>, depth = 0): string {
  if (schema === false) return 'never';
  if (typeof schema !== 'object' || schema === null || depth > maxDepth) return 'unknown';
  const { $ref, $defs: _, definitions: __, ...rest } = schema as Record<string, unknown>;
  const parts: string[] = [];
  if (typeof $ref === 'string') parts.push(names.get($ref) ?? 'unknown');
  const inner = (one: unknown) => typeOf(one, names, depth + 1);
  if ('const' in rest) return join([...parts, literal(rest['const'])], ' & ');
  if (Array.isArray(rest['enum'])) return join([...parts, join(rest['enum'].map(literal), ' | ')], ' & ');
  for (const keyword of ['anyOf', 'oneOf'])
    if (Array.isArray(rest[keyword])) parts.push(join(rest[keyword].map(inner), ' | '));
  if (Array.isArray(rest['allOf'])) parts.push(...rest['allOf'].map(inner));
  const plain = plainType(rest, inner);
  if (plain !== null) parts.push(plain);
  return parts.length === 0 ? 'unknown' : join(parts, ' & ');
}

/** The names of the reusable schemas: `#/$defs/Address` becomes the prefix and `Address`. */
export function namesOfDefs(schema: unknown, prefix: string): ReadonlyMap<string, string> {
  const names = new Map([['#', prefix]]);
  for (const keyword of ['$defs', 'definitions'])
    for (const name of Object.keys(membersOf(schema, keyword)))
      names.set(`#/${keyword}/${escapePointer(name)}`, `${prefix}${identifier(name)}`);
  if (new Set(names.values()).size < names.size)
    throw new Failure(
      'invalid',
      `the schema of ${prefix} has definitions whose names differ only in punctuation`,
    );
  return names;
}

/** A member of a schema that is an object of schemas; empty when there is none. */
export function membersOf(schema: unknown, keyword: string): Readonly<Record<string, unknown>> {
  const value = (schema as Record<string, unknown> | null | undefined)?.[keyword];
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};
}

/** A text as a part of a type's name. */
export function identifier(text: string): string {
  const words = text.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
  const name = words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join('');
  return /^[0-9]/.test(name) || name === '' ? `_${name}` : name;
}

/** The description of a schema as a comment. Attack: a description ends the comment and adds code. */
export function commentOf(schema: unknown, indent = ''): string {
  const { description } = (schema ?? {}) as { readonly description?: unknown };
  if (typeof description !== 'string' || description.trim() === '') return '';
  const lines = description
    .replaceAll('*/', '*\\/')
    .trim()
    .split(/\r\n|[\n\r\u2028\u2029]/);
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`;
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}\n`).join('')}${indent} */\n`;
}

function plainType(schema: Record<string, unknown>, inner: (one: unknown) => string): string | null {
  const { type } = schema;
  const types = typeof type === 'string' ? [type] : Array.isArray(type) ? type : typesByKeyword(schema);
  const texts = types.map((one) => {
    switch (one) {
      case 'object':
        return objectType(schema, inner);
      case 'array':
        return arrayType(schema, inner);
      case 'integer':
        return 'number';
      case 'string':
      case 'number':
      case 'boolean':
      case 'null':
        return one;
      default:
        return 'unknown';
    }
  });
  return texts.length === 0 ? null : join(texts, ' | ');
}

function typesByKeyword(schema: Record<string, unknown>): readonly string[] {
  if ('properties' in schema || 'additionalProperties' in schema) return ['object'];
  return 'items' in schema || 'prefixItems' in schema ? ['array'] : [];
}

function objectType(schema: Record<string, unknown>, inner: (one: unknown) => string): string {
  const properties = Object.entries(membersOf(schema, 'properties'));
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  const { additionalProperties: more } = schema;
  if (properties.length === 0)
    return more === false
      ? 'Record<string, never>'
      : `Record<string, ${more === undefined ? 'unknown' : inner(more)}>`;
  const lines = properties.map(([name, one]) => {
    const text = `${JSON.stringify(name)}${required.includes(name) ? '' : '?'}: ${inner(one)};\n`;
    return `${commentOf(one, '  ')}  ${text.replaceAll('\n', '\n  ').trimEnd()}\n`;
  });
  // An index signature would have to fit every named property, so only `unknown` is possible.
  const open = more === undefined || more === false ? '' : '  [member: string]: unknown;\n';
  return `{\n${lines.join('')}${open}}`;
}

function arrayType(schema: Record<string, unknown>, inner: (one: unknown) => string): string {
  const { prefixItems, items } = schema;
  const rest = items === false ? null : items === undefined ? 'unknown' : inner(items);
  if (!Array.isArray(prefixItems)) return rest === null ? '[]' : `(${rest})[]`;
  const least = typeof schema['minItems'] === 'number' ? schema['minItems'] : 0;
  const fixed = prefixItems.map((one, index) => `(${inner(one)})${index < least ? '' : '?'}`);
  return `[${[...fixed, ...(rest === null ? [] : [`...(${rest})[]`])].join(', ')}]`;
}

function literal(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'unknown';
  // Numbers of many digits are objects here; no type holds their value.
  if ('isLosslessNumber' in value) return 'number';
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  const members = Object.entries(value).map(([name, one]) => `${JSON.stringify(name)}: ${literal(one)}`);
  return `{ ${members.join('; ')} }`;
}

function join(parts: readonly string[], operator: ' | ' | ' & '): string {
  const distinct = [...new Set(parts)];
  if (distinct.length === 1) return distinct[0] as string;
  return distinct.length === 0 ? 'never' : distinct.map((part) => `(${part})`).join(operator);
}
