import { type Schema, unfold } from '../editor/schema-help.ts';

/** How a place of a document is shown in a form. */
export type Shape =
  | { readonly is: 'text' | 'number' | 'boolean' | 'yaml' }
  /** One of these values, as they stand in YAML. */
  | { readonly is: 'choice'; readonly values: readonly unknown[] }
  /** It has this value, or is not there. */
  | { readonly is: 'fixed'; readonly value: unknown }
  | { readonly is: 'object'; readonly members: readonly Member[]; readonly isOpen: boolean }
  /** Names that people choose, each with a text. */
  | { readonly is: 'map' }
  | { readonly is: 'list'; readonly item: Schema }
  /** Any of a few values, each at most once. */
  | { readonly is: 'several'; readonly values: readonly unknown[] };

export interface Member {
  readonly name: string;
  readonly schema: Schema;
  readonly required: boolean;
}

/** Deeper places are shown as YAML: a schema may contain itself. */
const deepest = 8;

/** The shape of a schema. Whatever has several branches, or none that is known, is YAML. */
export function shapeOf(schema: Schema, root: Schema, depth = 0): Shape {
  const all = unfold(schema, root);
  if (depth > deepest || all.some(isBranching)) return { is: 'yaml' };
  const only = all.find((one) => one.const !== undefined)?.const;
  if (only !== undefined) return isScalar(only) ? { is: 'fixed', value: only } : { is: 'yaml' };
  const values = all.find((one) => one.enum !== undefined)?.enum;
  if (values !== undefined) return values.every(isScalar) ? { is: 'choice', values } : { is: 'yaml' };
  const types = new Set(all.flatMap((one) => one.type ?? []));
  types.delete('null');
  if (types.size > 1) return { is: 'yaml' };
  const [type] = types;
  switch (type) {
    case 'string':
      return { is: 'text' };
    case 'integer':
    case 'number':
      return { is: 'number' };
    case 'boolean':
      return { is: 'boolean' };
    case 'array':
      return listOf(all.find((one) => one.items !== undefined)?.items, root);
    default:
      return objectOf(all, root);
  }
}

function listOf(item: Schema | undefined, root: Schema): Shape {
  if (item === undefined) return { is: 'yaml' };
  const values = unfold(item, root).find((one) => one.enum !== undefined)?.enum;
  return values?.every(isScalar) === true ? { is: 'several', values } : { is: 'list', item };
}

function objectOf(all: readonly Schema[], root: Schema): Shape {
  const required = new Set(all.flatMap((one) => one.required ?? []));
  const members = new Map<string, Member>();
  for (const [name, schema] of all.flatMap((one) => Object.entries(one.properties ?? {}))) {
    members.set(name, { name, schema, required: required.has(name) });
  }
  if (members.size > 0) {
    return { is: 'object', members: [...members.values()], isOpen: all.some(allowsOthers) };
  }
  const values = all.find((one) => typeof one.additionalProperties === 'object')?.additionalProperties;
  const isOfTexts = typeof values === 'object' && shapeOf(values, root).is === 'text';
  return { is: isOfTexts ? 'map' : 'yaml' };
}

/** Whether a schema says that there may be members that it does not name. Without a word about them they are allowed, but not expected. */
function allowsOthers(schema: Schema): boolean {
  const { additionalProperties: others } = schema;
  return (
    others === true || typeof others === 'object' || schema['x-kubernetes-preserve-unknown-fields'] === true
  );
}

/** The first sentence that a schema says about itself. */
export function descriptionOf(schema: Schema, root: Schema): string | undefined {
  return unfold(schema, root).find((one) => one.description !== undefined)?.description;
}

function isScalar(value: unknown): boolean {
  return typeof value !== 'object' || value === null;
}

function isBranching({ oneOf = [], anyOf = [] }: Schema): boolean {
  return oneOf.length > 1 || anyOf.length > 1;
}
