import { actorOf } from '../model/caller.ts';
import type { JsonDocument } from '../model/json-document.ts';
import type { Resource } from '../model/resource.ts';
import { prepareCreate } from '../rules/prepare-create.ts';
import { holdsDefinitions } from '../rules/validate-built-in.ts';
import { auditIdentity } from './audit-identity.ts';
import { createDefinition } from './create-definition.ts';
import { insertResource } from './insert.ts';
import type { ResourcePorts } from './ports.ts';
import type { CollectionRequest } from './request.ts';
import { validateSpec } from './validate-spec.ts';

/** Creates a resource in a collection (specification, "Create"). */
export async function createResource(
  ports: ResourcePorts,
  request: CollectionRequest & { readonly body: JsonDocument },
): Promise<Resource> {
  const { collection } = request;
  const content = prepareCreate(request.body, collection, request.version);
  const command = {
    definition: collection.definition,
    collection: request.ref,
    apiVersion: `${collection.group}/${request.version}`,
    name: content.name,
    metadata: content.metadata,
    spec: content.spec.text,
    finalizers: content.finalizers,
    ownerReferences: content.ownerReferences,
  };
  let created: Resource;
  if (holdsDefinitions(collection)) {
    created = await createDefinition(ports, command, content.spec.value);
  } else {
    await validateSpec(ports.schemas, collection, content.spec);
    created = await insertResource(ports.writer, ports.identifiers, command);
  }
  ports.audit.record({
    message: 'resource.created',
    requestId: request.requestId,
    actor: actorOf(request.caller),
    ...auditIdentity(created),
  });
  return created;
}
