import { Problem } from '@platform/kernel';
import type { DeleteOptions } from '@platform/kubernetes';
import type { Resource } from '@platform/resources';
import type { Answer } from '../../endpoint/answer.ts';
import { deleteNamed, deleteOptionsOf } from './deletes.ts';
import type { KubernetesDeps, ObjectRequest } from './object-request.ts';
import { listObjects } from './reads.ts';

/** Deletions of one request at a time: they share statements, and leave connections to other requests. */
const atOnce = 16;

/**
 * `deletecollection`: lists objects and deletes those of a page before it is shown, each in a transaction of its own, as in Kubernetes. When
 * the client is gone, it stops one page after what was taken at the latest.
 */
export async function deleteCollection(deps: KubernetesDeps, request: ObjectRequest): Promise<Answer> {
  const options = await deleteOptionsOf(deps, request);
  return await listObjects(deps, request, async (items) => {
    for (let at = 0; at < items.length; at += atOnce) {
      const deletions = items
        .slice(at, at + atOnce)
        .map((item) => deleteListed(deps, request, item, options));
      // All of them have ended before the request does.
      const results = await Promise.allSettled(deletions);
      const failed = results.findIndex((result) => result.status === 'rejected');
      const refused = items[at + failed];
      if (refused !== undefined) await refuseListed(request, refused, deletions[failed]);
    }
  });
}

/** Throws the refusal of a deletion, which names its object. One for want of access names what the request named and nothing else. */
async function refuseListed(
  request: ObjectRequest,
  { name }: Resource,
  deletion: Promise<void> | undefined,
): Promise<void> {
  try {
    await deletion;
  } catch (error) {
    if (!(error instanceof Problem && error.code === 'forbidden')) request.named(name);
    throw error;
  }
}

async function deleteListed(
  deps: KubernetesDeps,
  request: ObjectRequest,
  { name }: Resource,
  options: DeleteOptions,
): Promise<void> {
  try {
    await deleteNamed(deps, { ...request, path: { ...request.path, name } }, options);
  } catch (error) {
    // Somebody else, or a cascade, has deleted it in the meantime.
    if (!(error instanceof Problem && error.code === 'not_found')) throw error;
  }
}
