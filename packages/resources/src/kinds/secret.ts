import { type Fault, invalid, isPlainObject } from '@platform/kernel';
import { z } from 'zod';
import { builtInCollection } from '../model/definition.ts';
import { type JsonObject, type JsonValue, parseValue, renderValue, stringOf } from '../model/json-value.ts';
import type { JsonText } from '../model/resource.ts';
import { allOf } from '../rules/all-faults.ts';
import { requireValid } from '../rules/validate-body.ts';
import { base64Values, isDataKey, sizeFaults, textValues } from '../rules/validate-data.ts';
import { immutableFaults } from './immutable-data.ts';
import { organizations } from './organization.ts';
import { secretTypeFaults } from './secret-types.ts';
import { type BuiltInKind, type KindStrategy, operatorsOnly, type Proposed } from './strategy.ts';

/** The collection of Secrets. The values of `spec.data` are sealed in the database; model/sealed-spec.ts says how. */
export const secrets = builtInCollection('secrets', 'Secret', [organizations]);

/** The type of a Secret that names none. */
const opaque = 'Opaque';

/** Attack: 90,000 values in one megabyte, each sealed on its own, keep the process busy for seconds at every write and read. */
const maxValues = 1_000;

/** `spec` of a Secret. `stringData` is merged into `data` before it is stored. */
const secretSpec = z.strictObject({
  type: z.string().min(1).max(253).nullish(),
  immutable: z.boolean().nullish(),
  data: base64Values,
  stringData: textValues,
});

const valuesByKey = z.custom<Readonly<Record<string, unknown>>>(isPlainObject).catch({});

/** A spec that may have faults. */
const legibleSpec = z.object({ type: z.string().catch(opaque), data: valuesByKey, stringData: valuesByKey });

function validate({ spec }: Proposed): void {
  const { type, data, stringData } = legibleSpec.parse(spec.value);
  // Something is wrong with `stringData` that was not merged.
  const values = { ...data, ...encoded(stringData) };
  allOf(
    () => requireValid(secretSpec, spec.value, '/spec'),
    () =>
      requireNone([...countFaults(values), ...sizeFaults(null, values), ...secretTypeFaults(type, values)]),
  );
}

function encoded(texts: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, base64Of(String(text))]));
}

function requireNone(faults: readonly Fault[]): void {
  if (faults.length > 0) throw invalid(faults);
}

function countFaults(data: Readonly<Record<string, unknown>>): Fault[] {
  const { length } = Object.keys(data);
  if (length <= maxValues) return [];
  return [{ path: '/spec/data', message: `has ${length} values; at most ${maxValues} are allowed` }];
}

const strategy: KindStrategy = {
  allowsOwnerReferences: true,

  allows: operatorsOnly,

  completeSpec: mergeStringData,

  async validateCreate(proposed) {
    validate(proposed);
  },

  async validateUpdate(proposed, _collection, _deps, stored) {
    allOf(
      () => validate(proposed),
      () => requireFixed(proposed.spec.text, stored.spec),
    );
  },
};

/** Refuses a change of the type, and of an immutable Secret. */
function requireFixed(wanted: JsonText, stored: JsonText): void {
  const faults: Fault[] = immutableFaults(stored, wanted, ['data']);
  const type = typeOf(stored);
  if (typeOf(wanted) !== type) {
    faults.push({ path: '/spec/type', message: `must be ${type}: the type cannot change` });
  }
  requireNone(faults);
}

function typeOf(spec: JsonText): string {
  return (JSON.parse(spec) as { readonly type?: string | null }).type ?? opaque;
}

/** The spec with `stringData` in `data`, as base64; unchanged when it is not valid, which the validation says. */
function mergeStringData(spec: JsonText): JsonText {
  const members = parseValue(spec) as JsonObject;
  const added = members.get('stringData');
  if (added === undefined) return spec;
  const data = members.get('data') ?? 'null';
  const isAbsent = (value: JsonValue) => value === 'null';
  if (!(added instanceof Map || isAbsent(added)) || !(data instanceof Map || isAbsent(data))) return spec;
  const merged: JsonObject = data instanceof Map ? data : new Map();
  for (const [key, text] of added instanceof Map ? added : []) {
    const value = stringOf(text);
    if (value === undefined || !isDataKey(key)) return spec;
    merged.set(key, JSON.stringify(base64Of(value)));
  }
  members.delete('stringData');
  if (merged.size > 0) members.set('data', merged);
  return renderValue(members);
}

function base64Of(text: string): string {
  return btoa(Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join(''));
}

/** Secret, with its rules. */
export const secretKind: BuiltInKind = { collection: secrets, strategy };
