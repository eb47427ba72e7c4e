import { platformGroup, type ResourcePage } from '@platform/resources';
import type { KubernetesDeps } from './object-request.ts';

const organization = { group: platformGroup, kind: 'Organization', name: '.' } as const;

/** A page without items, with the point of the change log at which there were none. */
export async function nothingHere({ ports }: Pick<KubernetesDeps, 'ports'>): Promise<ResourcePage> {
  const { cursor } = await ports.reader.get({ by: 'path', steps: [organization] }, null);
  return { items: [], next: null, cursor };
}
