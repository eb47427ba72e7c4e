import type { Resource } from '../model/resource.ts';
import type { ReplaceCommand } from '../ports/resource-writer.ts';
import {
  judgeDefinitionEdit,
  judgeDefinitionIdentity,
  judgeDefinitionPlace,
} from '../rules/judge-definition.ts';
import { revisionConflict } from '../rules/prepare-replace.ts';
import { storedDefinitionSpec } from '../rules/resolve-collection.ts';
import { validateDefinitionSpec } from '../rules/validate-built-in.ts';
import { checkSchemas } from './check-schemas.ts';
import { definitionSurroundings } from './definition-surroundings.ts';
import type { ResourcePorts } from './ports.ts';
import { notFound } from './request.ts';
import { writeReplacement } from './write-replacement.ts';

/** Edits a definition. Its row lock makes writes of instances wait, so that none slips in at a version that goes. */
export async function replaceDefinition(
  { transactions, schemas }: Pick<ResourcePorts, 'transactions' | 'schemas'>,
  command: ReplaceCommand,
  stored: Resource,
  specValue: unknown,
): Promise<Resource> {
  const spec = validateDefinitionSpec(specValue);
  await checkSchemas(schemas, command.spec, spec.versions.length);
  return await transactions.run(async ({ definitions, writer }) => {
    await definitions.lockCatalog();
    const revision = await definitions.lockDefinition(stored.uid);
    if (revision === null) throw notFound();
    if (revision !== command.revision) throw revisionConflict(revision);
    const before = storedDefinitionSpec(stored);
    const around = await definitionSurroundings(definitions, spec, { ...before, uid: stored.uid });
    const instances = await definitions.countInstances(stored.uid, before);
    judgeDefinitionEdit(before, spec, { instances, heightBelow: around.heightBelow });
    judgeDefinitionIdentity(stored.name, spec);
    judgeDefinitionPlace(spec, around);
    return await writeReplacement(writer, command);
  });
}
