import { stringify } from 'yaml';
import type { Resource } from '../api/resource.ts';

/** A resource as YAML in a fixed order of keys, so that only real changes show; whole, or without what the platform and controllers set. */
export function comparableYaml(resource: Partial<Resource> | null, whole: boolean): string {
  if (resource === null) return '';
  const { status: _, metadata, ...rest } = resource;
  const { managedFields: __, revision: ___, generation: ____, ...shown } = metadata ?? {};
  return stringify(whole ? resource : { ...rest, metadata: shown }, { sortMapEntries: true, lineWidth: 0 });
}
