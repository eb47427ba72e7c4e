import { Problem, requireMet } from '@platform/kernel';
import { actorOf } from '../model/caller.ts';
import type { Collection } from '../model/definition.ts';
import type { JsonDocument } from '../model/json-document.ts';
import type { Resource } from '../model/resource.ts';
import type { ReplaceCommand } from '../ports/resource-writer.ts';
import { prepareReplace, type Replacement } from '../rules/prepare-replace.ts';
import { holdsDefinitions } from '../rules/validate-built-in.ts';
import { requireStorageVersion } from '../rules/versions.ts';
import { auditIdentity } from './audit-identity.ts';
import { getResource } from './get.ts';
import type { ResourcePorts } from './ports.ts';
import { replaceDefinition } from './replace-definition.ts';
import { validateSpec } from './validate-spec.ts';
import type { ConditionalRequest } from './write-if-matched.ts';
import { writeReplacement } from './write-replacement.ts';

/** Replaces what the client controls of an item, under optimistic concurrency (specification, "Update"). */
export async function replaceResource(
  ports: ResourcePorts,
  request: ConditionalRequest & { readonly version: string; readonly body: JsonDocument },
): Promise<Resource> {
  const { collection, version } = request;
  if (collection === null) {
    const orphan = await getResource(ports, request);
    throw new Problem(
      'definition_missing',
      `No definition claims ${orphan.kind}; register it again to update its resources.`,
    );
  }
  requireStorageVersion(collection, version);
  const stored = await getResource(ports, request);
  requireMet(request.precondition, stored);
  const replacement = prepareReplace(request.body, stored, collection, version);
  const command: ReplaceCommand = {
    definition: collection.definition,
    uid: stored.uid,
    revision: stored.revision,
    apiVersion: `${collection.group}/${version}`,
    metadata: replacement.metadata,
    spec: replacement.spec.text,
    specChanged: replacement.specChanged,
    finalizers: replacement.finalizers,
    ownerReferences: replacement.ownerReferences,
    addedOwners: replacement.addedOwners,
  };
  const replaced = await write(ports, collection, command, stored, replacement.spec).catch(
    (error: unknown) => {
      throw unmet(error, request, stored);
    },
  );
  ports.audit.record({
    message: 'resource.updated',
    requestId: request.requestId,
    actor: actorOf(request.caller),
    ...auditIdentity(replaced),
  });
  return replaced;
}

async function write(
  ports: ResourcePorts,
  collection: Collection,
  command: ReplaceCommand,
  stored: Resource,
  spec: Replacement['spec'],
): Promise<Resource> {
  if (holdsDefinitions(collection)) return await replaceDefinition(ports, command, stored, spec.value);
  await validateSpec(ports.schemas, collection, spec);
  return await writeReplacement(ports.writer, command);
}

/** Somebody wrote after the row was read: with a precondition that the row does not meet any more, that is what failed. */
function unmet(error: unknown, { precondition }: ConditionalRequest, { uid }: Resource): unknown {
  if (!(error instanceof Problem) || error.code !== 'revision_conflict') return error;
  requireMet(precondition, { uid, revision: error.members['currentRevision'] as number });
  return error;
}
