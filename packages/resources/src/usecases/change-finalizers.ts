import { invalid } from '@platform/kernel';
import { actorOf } from '../model/caller.ts';
import type { JsonDocument } from '../model/json-document.ts';
import { maxFinalizers } from '../model/names.ts';
import type { Resource } from '../model/resource.ts';
import { definitionOf, notFound } from '../model/target.ts';
import { validateFinalizerChange } from '../rules/finalizers.ts';
import { validateBodyOf } from './read.ts';
import { auditIdentity, type ConditionalRequest, changeOf, type ResourcePorts } from './request.ts';
import { writeIfMatched } from './write-if-matched.ts';

const auditMessages = {
  operator: 'resource.operator_finalizers_updated',
  controller: 'resource.controller_finalizers_updated',
  user: 'resource.finalizers_updated',
  service_account: 'resource.finalizers_updated',
} as const;

/** Adds and removes finalizers of the latest row. */
export async function changeFinalizers(
  ports: Pick<ResourcePorts, 'reader' | 'writer' | 'transactions' | 'audit' | 'controllerIds'>,
  request: ConditionalRequest & { readonly body: JsonDocument },
): Promise<Resource> {
  const { caller, target } = request;
  const wanted = await validateBodyOf(ports, request, () =>
    validateFinalizerChange(request.body.value, caller, ports.controllerIds),
  );
  const command = {
    change: changeOf(request, 'finalizers'),
    definition: definitionOf(target),
    ref: target.ref,
    ...wanted,
    limit: maxFinalizers,
  };
  const result = await writeIfMatched(ports, request, (writer) => writer.changeFinalizers(command));
  switch (result.outcome) {
    case 'missing':
    case 'statusTooLarge':
      throw notFound();
    case 'tooManyFinalizers':
      throw invalid([
        { path: '/add', message: `the resource would have more than ${maxFinalizers} finalizers` },
      ]);
    case 'written':
      if (result.changed) {
        ports.audit.record({
          message: auditMessages[caller.type],
          requestId: request.requestId,
          actor: actorOf(caller),
          ...auditIdentity(result.resource),
        });
      }
      return result.resource;
  }
}
