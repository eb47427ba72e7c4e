import { Problem, requireMet } from '@platform/kernel';
import { strategyOf } from '../kinds/table.ts';
import { actorOf } from '../model/caller.ts';
import type { JsonDocument } from '../model/json-document.ts';
import type { Resource } from '../model/resource.ts';
import type { ReplaceCommand, ResourceWriter } from '../ports/resource-writer.ts';
import { prepareReplace } from '../rules/prepare-replace.ts';
import { requireStorageVersion } from '../rules/versions.ts';
import { auditIdentity } from './audit-identity.ts';
import { getResource } from './get.ts';
import type { ResourcePorts } from './ports.ts';
import type { ConditionalRequest } from './write-if-matched.ts';
import { writeReplacement } from './write-replacement.ts';

/** Replaces the parts of an item that a client controls, under optimistic concurrency. */
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
  const strategy = strategyOf(collection);
  const replacement = prepareReplace(request.body, stored, {
    collection,
    version,
    allowsOwnerReferences: strategy.allowsOwnerReferences,
  });
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
  await strategy.validateUpdate(replacement, collection, ports);
  const write = (writer: ResourceWriter) => writeReplacement(writer, command);
  const writing =
    strategy.beforeUpdate === undefined
      ? write(ports.writer)
      : ports.transactions.run(async (transaction) => {
          await strategy.beforeUpdate?.(transaction, replacement, stored);
          return await write(transaction.writer);
        });
  const replaced = await writing.catch((error: unknown) => {
    throw unmet(error, request, stored);
  });
  ports.audit.record({
    message: 'resource.updated',
    requestId: request.requestId,
    actor: actorOf(request.caller),
    ...auditIdentity(replaced),
  });
  return replaced;
}

/** Somebody wrote after the row was read: with a precondition that the row does not meet any more, that is what failed. */
function unmet(error: unknown, { precondition }: ConditionalRequest, { uid }: Resource): unknown {
  if (!(error instanceof Problem) || error.code !== 'revision_conflict') return error;
  requireMet(precondition, { uid, revision: error.members['currentRevision'] as number });
  return error;
}
