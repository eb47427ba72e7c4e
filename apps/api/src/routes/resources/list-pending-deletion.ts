import {
  listPendingDeletion,
  platformGroup,
  platformVersion,
  type RequestContext,
  type ResourcePorts,
  renderEnvelope,
  renderPage,
} from '@platform/resources';
import type { Answer } from './call.ts';

/** `GET pending-deletion`: the tombstones of all kinds at their stored `apiVersion`, oldest first. */
export async function getPendingDeletion(
  ports: ResourcePorts,
  request: RequestContext & { readonly query: URLSearchParams },
): Promise<Answer> {
  const rows = await listPendingDeletion(ports, request);
  const items = rows.map((row) => renderEnvelope(row));
  const text = renderPage(items, `${platformGroup}/${platformVersion}`, 'PendingDeletionList', null);
  return { status: 200, text };
}
