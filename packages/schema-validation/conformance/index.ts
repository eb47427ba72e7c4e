import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isObject, type Json } from '../src/json.ts';

/** A group of the official suite: a schema, with valid and invalid documents. */
export interface Group {
  readonly file: string;
  readonly description: string;
  readonly schema: Json;
  readonly tests: readonly { readonly description: string; readonly data: Json; readonly valid: boolean }[];
}

/** A form in which a schema is tested: unchanged, or for one member of an object, as in the `spec` of a kind. */
export interface Form {
  readonly name: string;
  /** The schema in this form; undefined if the meaning would change. `index` makes identifiers unique. */
  readonly schema: (schema: Json, index: number) => Json | undefined;
  readonly document: (data: Json) => Json;
}

/**
 * The groups of json-schema-org/JSON-Schema-Test-Suite for Draft 2020-12; undefined if the suite is not available. It is not part of
 * this repository: it is searched at JSON_SCHEMA_SUITE, and in `shared/data` of each parent folder.
 */
export function officialGroups(): readonly Group[] | undefined {
  const folder = findSuite();
  if (folder === undefined) return undefined;
  const files = readdirSync(folder).filter((name) => name.endsWith('.json'));
  return files.sort().flatMap((file) => {
    const groups: Group[] = JSON.parse(readFileSync(join(folder, file), 'utf8'));
    return groups.map((group) => ({ ...group, file }));
  });
}

function findSuite(): string | undefined {
  const { JSON_SCHEMA_SUITE } = process.env;
  if (JSON_SCHEMA_SUITE !== undefined) return JSON_SCHEMA_SUITE;
  const here = dirname(fileURLToPath(import.meta.url));
  for (let folder = here; folder !== dirname(folder); folder = dirname(folder)) {
    const candidate = join(folder, 'shared', 'data', 'json-schema-draft2020-12');
    if (existsSync(candidate)) return candidate;
  }
  return undefined;
}

/** Whether a group mentions the server of the suite: some need its documents, some only use such identifiers. */
export function isRemote({ schema }: Group): boolean {
  return mentions(schema, 'localhost:1234');
}

/** The expected result of a case: that of the suite, except that the platform asserts `format`, which the draft leaves open. */
export function expected({ description, valid }: Group['tests'][number]): boolean {
  return valid && !description.endsWith('is only an annotation by default');
}

const wrapped = (value: Json): Json => ({ type: 'object', properties: { value } });
const asMember = (value: Json): Json => ({ value });
const mentions = (schema: Json, text: string): boolean => JSON.stringify(schema).includes(text);

/** The unchanged schema. */
export const asRoot: Form = {
  name: 'as the root schema',
  schema: (schema) => schema,
  document: (data) => data,
};

/** The schema for the member `value` of an object. It keeps its own root, because it has an identifier. */
export const embedded: Form = {
  name: 'embedded with an identifier',
  schema: (schema, index) =>
    wrapped(isObject(schema) ? { $id: `https://suite.example/${index}`, ...schema } : schema),
  document: asMember,
};

/** The schema for the member `value`, without an identifier. */
export const bare: Form = {
  name: 'embedded without an identifier, where there are no references',
  schema: (schema) => (mentions(schema, 'ef":') ? undefined : wrapped(schema)),
  document: asMember,
};

/** The schema for the member `value`, with its definitions moved to the root. */
export const lifted: Form = {
  name: 'embedded with its definitions lifted, where all references are to those',
  schema: (schema) => {
    if (!isObject(schema) || !mentions(schema, '"#/$defs/')) return undefined;
    if (mentions(schema, '$id') || mentions(schema, 'nchor') || mentions(schema, '"#"')) return undefined;
    const { $defs, $schema, ...rest } = schema;
    if (/#\/(?!\$defs)/.test(JSON.stringify(schema)) || mentions(rest, '"$defs"')) return undefined;
    return { ...(wrapped(rest) as object), $defs } as Json;
  },
  document: asMember,
};
