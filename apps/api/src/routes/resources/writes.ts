import {
  type CollectionTarget,
  type ConditionalRequest,
  changeFinalizers,
  createResource,
  deleteResource,
  type ItemTarget,
  replaceResource,
  replaceStatus,
} from '@platform/resources';
import { envelopeAt, itemAnswer, type Operation, type ResourceCall } from './call.ts';

/** `POST` to a collection. `Location` is the path of the new resource (RFC 9110, section 15.3.2). */
export const create: Operation<CollectionTarget> = async (call, target) => {
  const { ports, caller, requestId, path } = call;
  const created = await createResource(ports, { caller, requestId, target, body: await call.body() });
  const answer = itemAnswer(created, target, 201);
  return { ...answer, headers: { ...answer.headers, Location: `${path}/${created.name}` } };
};

/** `PUT` of an item, under optimistic concurrency. */
export const replace: Operation<ItemTarget> = async (call, target) => {
  const request = { ...conditional(call, target), body: await call.body() };
  return itemAnswer(await replaceResource(call.ports, request), target);
};

/** `DELETE` of an item: 200 when it is removed, 202 while finalizers or dependents keep it. */
export const remove: Operation<ItemTarget> = async (call, target) => {
  const { deleted, resource } = await deleteResource(call.ports, conditional(call, target));
  if (deleted) return { status: 200, body: `{"deleted":true,"uid":"${resource.uid}"}` };
  const envelope = envelopeAt(resource, target);
  return { status: 202, body: `{"deleted":false,"markedForDeletion":true,"resource":${envelope}}` };
};

/** `PUT .../status`: one slot, the caller's own unless an operator names another. */
export const putStatus: Operation<ItemTarget> = async (call, target) => {
  const request = { ...conditional(call, target), body: await call.body() };
  const slots = call.query().getAll('slot');
  return itemAnswer(await replaceStatus(call.ports, { ...request, slots }), target);
};

/** `PUT .../finalizers`: adds some, removes others. */
export const putFinalizers: Operation<ItemTarget> = async (call, target) => {
  const request = { ...conditional(call, target), body: await call.body() };
  const { controllerIds } = call;
  return itemAnswer(await changeFinalizers(call.ports, { ...request, controllerIds }), target);
};

function conditional(call: ResourceCall, target: ItemTarget): ConditionalRequest {
  const { caller, requestId } = call;
  return { caller, requestId, target, precondition: call.precondition() };
}
