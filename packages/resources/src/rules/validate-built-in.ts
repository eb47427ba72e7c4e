import type { Collection } from '../model/definition.ts';
import { platformGroup } from '../model/definition.ts';
import { type DefinitionSpec, definitionSpec, organizationSpec } from '../model/schemas.ts';
import { requireValid } from './faults.ts';

/** Whether the collection holds the definitions themselves. */
export function holdsDefinitions(collection: Collection): boolean {
  return collection.group === platformGroup && collection.kind === 'ResourceDefinition';
}

/** Whether the collection holds the Organizations. */
export function holdsOrganizations(collection: Collection): boolean {
  return collection.group === platformGroup && collection.kind === 'Organization';
}

/** The typed validator of Organization (contract 2, "Bodies"). */
export function validateOrganizationSpec(spec: unknown): void {
  requireValid(organizationSpec, spec, '/spec');
}

/** The typed validator of ResourceDefinition; schemas and other definitions are judged elsewhere. */
export function validateDefinitionSpec(spec: unknown): DefinitionSpec {
  return requireValid(definitionSpec, spec, '/spec');
}
