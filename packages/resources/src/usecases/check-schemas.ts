import { type Fault, invalid } from '@platform/kernel';
import type { DefinitionSpec } from '../model/schemas.ts';
import type { SchemaValidator } from '../ports/schema-validator.ts';

/** Judges the JSON Schema of every version; a bad one is refused at registration, with all faults of all of them. */
export async function checkSchemas(schemas: SchemaValidator, spec: DefinitionSpec): Promise<void> {
  const faults: Fault[] = [];
  for (const [index, { schema }] of spec.versions.entries()) {
    if (schema == null) continue;
    const found = await schemas.check(JSON.stringify(schema));
    faults.push(
      ...found.map(({ path, message }) => ({ path: `/spec/versions/${index}/schema${path}`, message })),
    );
  }
  if (faults.length > 0) throw invalid(faults);
}
