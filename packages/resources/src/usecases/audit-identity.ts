import type { Resource } from '../model/resource.ts';
import type { ResourceIdentity } from '../ports/transactions.ts';

/** What an audit record says about the resource it is about. */
export function auditIdentity(resource: Resource): { resource: ResourceIdentity; revision: number } {
  const { apiVersion, kind, name, uid, parentUid, revision } = resource;
  return { resource: { apiVersion, kind, name, uid, parentUid }, revision };
}
