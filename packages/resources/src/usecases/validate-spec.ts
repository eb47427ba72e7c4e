import { type Fault, invalid } from '@platform/kernel';
import { type Collection, storageVersion } from '../model/definition.ts';
import type { JsonText } from '../model/resource.ts';
import type { SchemaValidator } from '../ports/schema-validator.ts';
import { holdsOrganizations, validateOrganizationSpec } from '../rules/validate-built-in.ts';

/**
 * Validates `spec` for a kind that is no definition: Organization by its typed validator, external kinds by the schema of the
 * storage version (specification, ResourceDefinition rule 4). Throws `validation_failed` or `schema_violation` with all faults.
 */
export async function validateSpec(
  schemas: SchemaValidator,
  collection: Collection,
  spec: { readonly value: unknown; readonly text: JsonText },
): Promise<void> {
  if (holdsOrganizations(collection)) return validateOrganizationSpec(spec.value);
  const version = storageVersion(collection);
  if (version.schema === null) return;
  const faults = await schemas.validate(version.schema, spec);
  if (faults.length > 0) throw invalid(faults.map(inSpec), 'schema_violation');
}

function inSpec(fault: Fault): Fault {
  return { path: `/spec${fault.path}`, message: fault.message };
}
