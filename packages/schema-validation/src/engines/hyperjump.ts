import * as Browser from '@hyperjump/browser';
import {
  type OutputUnit,
  registerSchema,
  type SchemaObject,
  setShouldValidateFormat,
  setShouldValidateSchema,
  unregisterSchema,
  validate,
} from '@hyperjump/json-schema/draft-2020-12';
import { addFormat, addKeyword } from '@hyperjump/json-schema/experimental';
import * as Instance from '@hyperjump/json-schema/instance/experimental';
import { at, isObject, type Json } from '../json.ts';
import { dialect } from '../schema/document.ts';
import type { FlatSchema } from '../schema/flatten.ts';
import { type Evaluate, type Failure, never } from './faults.ts';
import { formatChecks } from './formats.ts';
import { isMultipleOf } from './multiple-of.ts';

// Attack: a reference makes the server call its own network or read files. `references.ts` rejects those; this is the second barrier.
for (const scheme of ['http', 'https', 'file']) Browser.removeUriSchemePlugin(scheme);

// Schemas are validated once, at registration.
setShouldValidateSchema(false);
setShouldValidateFormat(true);
for (const [name, check] of formatChecks)
  addFormat({
    id: `https://json-schema.org/format/${name}`,
    handler: (value) => typeof value !== 'string' || check(value),
  });

// The built-in keyword ignores small remainders.
addKeyword<number>({
  id: 'https://json-schema.org/keyword/multipleOf',
  compile: async (schema) => Browser.value(schema),
  interpret: (divisor, instance) =>
    Instance.typeOf(instance) !== 'number' || isMultipleOf(Instance.value(instance), divisor),
});

/** The registry is global and needed only for compiling, so one schema is registered at a time. */
const uri = 'urn:platform:schema';

/** Prepares a schema for interpretation. Calls must not overlap. Throws if the schema cannot be compiled. */
export async function compileHyperjump({ schema }: FlatSchema): Promise<Evaluate> {
  registerSchema(schema as SchemaObject, uri, dialect);
  try {
    const check = await validate(uri);
    return (value) => {
      const output = check(value as Json as never, 'BASIC');
      return output.valid ? [] : failures(output.errors ?? [], schema, value as Json);
    };
  } finally {
    unregisterSchema(uri);
  }
}

function* failures(units: readonly OutputUnit[], schema: Json, document: Json): Generator<Failure> {
  for (const unit of units) {
    const { pointer: path, inName } = instancePointer(unit.instanceLocation);
    const place = fragment(unit.absoluteKeywordLocation);
    if (unit.keyword.endsWith('/validate')) {
      yield { path, keyword: never, inName };
      continue;
    }
    const end = place.lastIndexOf('/');
    const keyword = place.slice(end + 1);
    const holder = at(schema, place.slice(0, end));
    if (!isObject(holder)) continue;
    const value = at(document, path);
    const { required, dependentRequired } = holder;
    if (keyword === 'required') yield* missing(path, keyword, required, value);
    else if (keyword === 'dependentRequired') yield* missingDependents(path, dependentRequired, value);
    else yield { path, keyword, schema: holder, inName };
  }
}

function* missing(
  path: string,
  keyword: string,
  names: Json | undefined,
  value: Json | undefined,
  because?: string,
) {
  for (const name of Array.isArray(names) ? names : [])
    if (isObject(value) && !Object.hasOwn(value, name))
      yield { path, keyword, member: name as string, because };
}

function* missingDependents(path: string, dependents: Json | undefined, value: Json | undefined) {
  for (const [name, names] of Object.entries(dependents ?? {}))
    if (isObject(value) && Object.hasOwn(value, name))
      yield* missing(path, 'dependentRequired', names as Json, value, name);
}

/** Parses a location in a document. A leading `*` means the name of a member. */
function instancePointer(location: string): { readonly pointer: string; readonly inName: boolean } {
  const pointer = fragment(location);
  return pointer.startsWith('*') ? { pointer: pointer.slice(1), inName: true } : { pointer, inName: false };
}

function fragment(location: string): string {
  return decodeURIComponent(location.slice(location.indexOf('#') + 1));
}
