import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createSchemaValidator } from './index.ts';
import { isObject, type Json } from './json.ts';

/** A group of the official suite: documents that one schema must tell apart. */
interface Group {
  readonly description: string;
  readonly schema: Json;
  readonly tests: readonly { readonly description: string; readonly data: Json; readonly valid: boolean }[];
}

/** A way to ask for a schema: as it is, or for one member of an object, which is how the `spec` of a kind holds it. */
interface Form {
  readonly schema: (schema: Json, index: number) => Json | undefined;
  readonly document: (data: Json) => Json;
}

const suite = findSuite();
const described = suite === undefined ? describe.skip : describe;
const remote = 'localhost:1234';

function findSuite(): string | undefined {
  const { JSON_SCHEMA_SUITE } = process.env;
  if (JSON_SCHEMA_SUITE !== undefined) return JSON_SCHEMA_SUITE;
  for (
    let folder = dirname(fileURLToPath(import.meta.url));
    folder !== dirname(folder);
    folder = dirname(folder)
  ) {
    const candidate = join(folder, 'shared', 'data', 'json-schema-draft2020-12');
    if (existsSync(candidate)) return candidate;
  }
  return undefined;
}

function groupsOf(folder: string): (Group & { readonly file: string })[] {
  const files = readdirSync(folder).filter((name) => name.endsWith('.json'));
  return files.sort().flatMap((file) => {
    const groups: Group[] = JSON.parse(readFileSync(join(folder, file), 'utf8'));
    return groups.map((group) => ({ ...group, file }));
  });
}

const wrapped = (value: Json): Json => ({ type: 'object', properties: { value } });
const asMember = (value: Json): Json => ({ value });
const mentions = (schema: Json, text: string): boolean => JSON.stringify(schema).includes(text);

const forms: Readonly<Record<string, Form>> = {
  'as the root schema': { schema: (schema) => schema, document: (data) => data },
  'embedded with an identifier': {
    schema: (schema, index) =>
      wrapped(isObject(schema) ? { $id: `https://suite.example/${index}`, ...schema } : schema),
    document: asMember,
  },
  'embedded without an identifier, where there are no references': {
    schema: (schema) => (mentions(schema, 'ef":') ? undefined : wrapped(schema)),
    document: asMember,
  },
  'embedded with its definitions lifted, where all references are to those': {
    schema: (schema) => {
      if (!isObject(schema) || !mentions(schema, '"#/$defs/')) return undefined;
      if (mentions(schema, '$id') || mentions(schema, 'nchor') || mentions(schema, '"#"')) return undefined;
      const { $defs, $schema, ...rest } = schema;
      if (/#\/(?!\$defs)/.test(JSON.stringify(schema)) || mentions(rest, '"$defs"')) return undefined;
      return { ...(wrapped(rest) as object), $defs } as Json;
    },
    document: asMember,
  },
};

// Skipped where the data of json-schema-org/JSON-Schema-Test-Suite is not at hand: it is not part of this repository.
described('the official suite for Draft 2020-12', () => {
  const validator = createSchemaValidator({ limits: { deadlineMs: 20_000 } });
  afterAll(() => validator.close());

  const groups = suite === undefined ? [] : groupsOf(suite);
  let index = 0;
  for (const [name, { schema: formOf, document }] of Object.entries(forms))
    describe(name, () => {
      for (const { file, description, schema, tests } of groups) {
        const form = formOf(schema, ++index);
        if (form === undefined) continue;
        const key = String(index);
        it(`${file}: ${description}`, async () => {
          const text = JSON.stringify(form);
          const refused = await validator.check(text);
          // Some groups need documents of a test server that are not embedded; others mention it only as an identifier.
          if (refused.length > 0 && mentions(schema, remote)) {
            expect(refused.every(({ path }) => /\/\$(ref|schema)$/.test(path))).toBe(true);
            return;
          }
          expect(refused).toEqual([]);
          const wrong: string[] = [];
          for (const test of tests) {
            const value = document(test.data);
            const faults = await validator.validate(
              { key, schema: text },
              { value, text: JSON.stringify(value) },
            );
            // The draft leaves `format` to the implementation; this one asserts it.
            const valid = test.valid && !test.description.endsWith('is only an annotation by default');
            if ((faults.length === 0) !== valid) wrong.push(`${test.description}: ${JSON.stringify(faults)}`);
          }
          expect(wrong).toEqual([]);
        });
      }
    });

  it('has the cases that the platform promises', () => {
    const cases = groups.flatMap(({ schema, tests }) => tests.map((test) => ({ schema, ...test })));
    expect(cases.length).toBeGreaterThanOrEqual(1_299);
    expect(cases.filter(({ schema }) => mentions(schema, remote))).toHaveLength(57);
  });
});
