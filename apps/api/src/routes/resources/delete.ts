import { deleteResource } from '@platform/resources';
import type { Operation } from './call.ts';
import { envelopeAt } from './render.ts';
import { writeRequest } from './requests.ts';

/** `DELETE` of an item: 200 when it is gone, 202 when something still holds it (specification, "Delete"). */
export const remove: Operation = async (call) => {
  const deletion = await deleteResource(call.ports, writeRequest(call));
  const { deleted, resource } = deletion;
  return deleted
    ? { status: 200, text: `{"deleted":true,"uid":"${resource.uid}"}` }
    : {
        status: 202,
        text: `{"deleted":false,"markedForDeletion":true,"resource":${envelopeAt(resource, call.located)}}`,
      };
};
