import { type JsonObject, parseValue, renderValue, stringOf } from './json-value.ts';
import { controllerAnnotation } from './owner-reference.ts';
import type { JsonText, Resource } from './resource.ts';

/** A resource that was removed, in its last state. */
export interface RemovedResource {
  readonly resource: Resource;
  /** The deletion that removed it; null for a removal by SQL. */
  readonly cascadeId: string | null;
}

/** A removed resource with what it depended on. */
export interface RemovedNode {
  readonly uid: string;
  readonly parentUid: string | null;
  readonly ownerUids: readonly string[];
}

/** The annotation of a restored resource: the uid that it had before it was removed. */
export const restoredFromAnnotation = 'platform.dev/restored-from';

/** The annotations of a removed resource, with the one that names it, and with the uid that its controller has now. */
export function annotationsRestoredFrom(
  { metadata, uid }: Resource,
  uidNow: (uid: string) => string,
): JsonText {
  const stored = (parseValue(metadata) as JsonObject).get('annotations');
  const annotations: JsonObject = new Map(stored instanceof Map ? stored : []);
  const controller = stringOf(annotations.get(controllerAnnotation));
  if (controller !== undefined) annotations.set(controllerAnnotation, JSON.stringify(uidNow(controller)));
  return renderValue(annotations.set(restoredFromAnnotation, JSON.stringify(uid)));
}

/** The node of a resource. */
export function nodeOf({ uid, parentUid, ownerReferences }: Resource): RemovedNode {
  return { uid, parentUid, ownerUids: ownerReferences.map((owner) => owner.uid) };
}
