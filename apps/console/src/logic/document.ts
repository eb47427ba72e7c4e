import { stringify } from 'yaml';
import type { Resource } from '../api/resource.ts';

/** What of a resource is left out of a comparison. */
export interface Hidden {
  readonly status: boolean;
  readonly managedFields: boolean;
}

/** A resource as YAML in a fixed order of keys, so that only real changes show. */
export function comparableYaml(resource: Partial<Resource> | null, hidden: Hidden): string {
  if (resource === null) return '';
  const { status, metadata, ...rest } = resource;
  const { managedFields, ...shown } = metadata ?? {};
  const kept = {
    ...rest,
    metadata: hidden.managedFields || managedFields === undefined ? shown : { ...shown, managedFields },
    ...(hidden.status || status === undefined ? {} : { status }),
  };
  return stringify(kept, { sortMapEntries: true, lineWidth: 0 });
}
