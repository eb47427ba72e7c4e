import { type Fault, invalid } from '@platform/kernel';
import { schemaTexts } from '../model/json-document.ts';
import type { JsonText } from '../model/resource.ts';
import type { SchemaValidator } from '../ports/schema-validator.ts';

/**
 * Judges the JSON Schema of every version in the `spec` text of a definition; a bad one is refused at registration, with all
 * faults of all of them.
 */
export async function checkSchemas(
  schemas: SchemaValidator,
  spec: JsonText,
  versions: number,
): Promise<void> {
  const faults: Fault[] = [];
  for (const [index, schema] of schemaTexts(spec, versions).entries()) {
    if (schema === null) continue;
    const found = await schemas.check(schema);
    faults.push(
      ...found.map(({ path, message }) => ({ path: `/spec/versions/${index}/schema${path}`, message })),
    );
  }
  if (faults.length > 0) throw invalid(faults);
}
