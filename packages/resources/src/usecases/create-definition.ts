import type { Resource } from '../model/resource.ts';
import type { CreateCommand } from '../ports/resource-writer.ts';
import { judgeDefinitionIdentity, judgeDefinitionPlace } from '../rules/judge-definition.ts';
import { validateDefinitionSpec } from '../rules/validate-built-in.ts';
import { checkSchemas } from './check-schemas.ts';
import { definitionSurroundings } from './definition-surroundings.ts';
import { insertResource } from './insert.ts';
import type { ResourcePorts } from './ports.ts';

/** Registers a kind: definitions are written one at a time, so that uniqueness and the parent chain hold. */
export async function createDefinition(
  { transactions, schemas, identifiers }: Pick<ResourcePorts, 'transactions' | 'schemas' | 'identifiers'>,
  command: Omit<CreateCommand, 'uid' | 'discriminator'>,
  specValue: unknown,
): Promise<Resource> {
  const spec = validateDefinitionSpec(specValue);
  judgeDefinitionIdentity(command.name, spec);
  await checkSchemas(schemas, command.spec, spec.versions.length);
  return await transactions.run(async ({ definitions, writer }) => {
    await definitions.lockCatalog();
    judgeDefinitionPlace(spec, await definitionSurroundings(definitions, spec, null));
    return await insertResource(writer, identifiers, command);
  });
}
