import { Problem } from '@platform/kernel';
import { objectVersion } from '@platform/kubernetes';
import type { Resource } from '@platform/resources';
import type { Answer } from '../../endpoint/answer.ts';
import { deleteNamed, deleteOptionsOf } from './deletes.ts';
import type { KubernetesDeps, ObjectRequest } from './object-request.ts';
import { pageOf } from './reads.ts';

const pageSize = 500;

/** `deletecollection`: deletes one object after the other, each in a transaction of its own, as Kubernetes does. */
export async function deleteCollection(deps: KubernetesDeps, request: ObjectRequest): Promise<Answer> {
  const { path } = request;
  const options = await deleteOptionsOf(deps, request);
  const found: Resource[] = [];
  for (let token: string | null = null; ; ) {
    const page = await pageOf(deps, request, pageSize, token);
    found.push(...page.items);
    token = page.next;
    if (token === null) break;
  }
  for (const { name, ancestors } of found) {
    const item = { ...path, name, namespace: path.namespace === null ? null : ancestors.join(':') };
    try {
      await deleteNamed(deps, { ...request, path: item }, options);
    } catch (error) {
      // Somebody else, or a cascade, has deleted it in the meantime.
      if (!(error instanceof Problem && error.code === 'not_found')) throw error;
    }
  }
  const items = found.map((resource) => request.renderer.item(resource)).join(',');
  const resourceVersion = found.length === 0 ? '' : objectVersion(found.at(-1) as Resource);
  const head = request.renderer.listHead({ resourceVersion });
  return {
    status: 200,
    body: `${head}${items}${request.renderer.listEnd}`,
    contentType: request.renderer.mediaType,
  };
}
