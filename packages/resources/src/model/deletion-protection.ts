import type { JsonText } from './resource.ts';

/** The annotation that protects a live resource from deletion, also from the cascade of a resource above it. */
export const deletionProtectionAnnotation = 'platform.dev/deletion-protection';

/** Whether the metadata of a resource protects it: only the value `"true"` does. A tombstone is not protected, whatever its metadata says. */
export function isDeletionProtected(metadata: JsonText): boolean {
  const { annotations } = JSON.parse(metadata) as { annotations?: Readonly<Record<string, unknown>> };
  return (
    annotations !== undefined &&
    Object.hasOwn(annotations, deletionProtectionAnnotation) &&
    annotations[deletionProtectionAnnotation] === 'true'
  );
}
