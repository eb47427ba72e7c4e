import { invalid } from '@platform/kernel';
import { actorOf } from '../model/caller.ts';
import type { JsonDocument } from '../model/json-document.ts';
import { maxFinalizers } from '../model/names.ts';
import { finalizersBody } from '../model/request-bodies.ts';
import type { Resource } from '../model/resource.ts';
import { requireValid } from '../rules/faults.ts';
import { judgeFinalizerChange } from '../rules/finalizers.ts';
import { auditIdentity } from './audit-identity.ts';
import type { ResourcePorts } from './ports.ts';
import { definitionOf, notFound } from './request.ts';
import { type ConditionalRequest, writeIfMatched } from './write-if-matched.ts';

/** Adds and removes finalizers of the latest row (specification, "Finalizer subresource"; contract 2.6 to 2.8). */
export async function changeFinalizers(
  ports: Pick<ResourcePorts, 'writer' | 'transactions' | 'audit'>,
  request: ConditionalRequest & { readonly body: JsonDocument; readonly controllerIds: readonly string[] },
): Promise<Resource> {
  const { caller, ref } = request;
  const change = requireValid(finalizersBody, request.body.value);
  judgeFinalizerChange(change, caller, request.controllerIds);
  const command = {
    definition: definitionOf(request),
    ref,
    ...change,
    limit: maxFinalizers,
  };
  const result = await writeIfMatched(ports, request, (writer) => writer.changeFinalizers(command));
  switch (result.outcome) {
    case 'missing':
      throw notFound();
    case 'tooManyFinalizers':
      throw invalid([
        { path: '/add', message: `the resource would have more than ${maxFinalizers} finalizers` },
      ]);
    case 'written':
      if (result.changed) {
        ports.audit.record({
          message:
            caller.type === 'operator'
              ? 'resource.operator_finalizers_updated'
              : 'resource.controller_finalizers_updated',
          requestId: request.requestId,
          actor: actorOf(caller),
          ...auditIdentity(result.resource),
        });
      }
      return result.resource;
  }
}
