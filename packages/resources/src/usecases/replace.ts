import { Problem } from '@platform/kernel';
import { actorOf } from '../model/caller.ts';
import type { JsonDocument } from '../model/json-document.ts';
import type { Resource } from '../model/resource.ts';
import type { ReplaceCommand } from '../ports/resource-writer.ts';
import { prepareReplace } from '../rules/prepare-replace.ts';
import { holdsDefinitions } from '../rules/validate-built-in.ts';
import { requireStorageVersion } from '../rules/versions.ts';
import { auditIdentity } from './audit-identity.ts';
import { getResource } from './get.ts';
import type { ResourcePorts } from './ports.ts';
import { replaceDefinition } from './replace-definition.ts';
import type { ItemRequest } from './request.ts';
import { validateSpec } from './validate-spec.ts';
import { writeReplacement } from './write-replacement.ts';

/** Replaces what the client controls of an item, under optimistic concurrency (specification, "Update"). */
export async function replaceResource(
  ports: ResourcePorts,
  request: ItemRequest & { readonly version: string; readonly body: JsonDocument },
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
  let replaced: Resource;
  if (holdsDefinitions(collection)) {
    replaced = await replaceDefinition(ports, command, stored, replacement.spec.value);
  } else {
    await validateSpec(ports.schemas, collection, replacement.spec);
    replaced = await writeReplacement(ports.writer, command);
  }
  ports.audit.record({
    message: 'resource.updated',
    requestId: request.requestId,
    actor: actorOf(request.caller),
    ...auditIdentity(replaced),
  });
  return replaced;
}
