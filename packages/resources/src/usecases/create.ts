import { strategyOf } from '../kinds/table.ts';
import { actorOf } from '../model/caller.ts';
import type { JsonDocument } from '../model/json-document.ts';
import type { Resource } from '../model/resource.ts';
import type { ResourceWriter } from '../ports/resource-writer.ts';
import { prepareCreate } from '../rules/prepare-create.ts';
import { insertResource } from './insert.ts';
import { auditIdentity, type CollectionRequest, type ResourcePorts } from './request.ts';

/** Creates a resource in a collection. */
export async function createResource(
  ports: ResourcePorts,
  request: CollectionRequest & { readonly body: JsonDocument },
): Promise<Resource> {
  const { collection, version, ref } = request.target;
  const strategy = strategyOf(collection);
  const { allowsOwnerReferences } = strategy;
  const content = prepareCreate(request.body, { collection, version, allowsOwnerReferences });
  await strategy.validateCreate(content, collection, ports);
  const command = {
    definition: collection.definition,
    collection: ref,
    apiVersion: `${collection.group}/${version}`,
    name: content.name,
    metadata: content.metadata,
    spec: content.spec.text,
    finalizers: content.finalizers,
    ownerReferences: content.ownerReferences,
  };
  const insert = (writer: ResourceWriter) => insertResource(writer, ports.identifiers, command);
  const created =
    strategy.beforeCreate === undefined
      ? await insert(ports.writer)
      : await ports.transactions.run(async (transaction) => {
          await strategy.beforeCreate?.(transaction, content);
          return await insert(transaction.writer);
        });
  ports.audit.record({
    message: 'resource.created',
    requestId: request.requestId,
    actor: actorOf(request.caller),
    ...auditIdentity(created),
  });
  return created;
}
