import { invalid, Problem } from '@platform/kernel';
import {
  cloneValue,
  type JsonObject,
  type JsonValue,
  type Patch,
  parseValue,
  type Resource,
  renderValue,
} from '@platform/resources';
import { objectOf } from '../definitions/values.ts';
import type { KubernetesKind } from './kind.ts';
import { slotOfStatus } from './object-status.ts';
import { type SentObject, storedMetadata, storedSpec } from './read-object.ts';
import { renderObject } from './render-object.ts';
import { parseResourceVersion } from './resource-version.ts';
import { setManagers } from './set-managers.ts';

/** Makes an object of the stored one: what a patch or a replacement amounts to. */
export type ObjectChange = (object: JsonValue) => SentObject;

/** The members of `metadata` that an object says, with their empty values. */
const emptyMembers: Readonly<Record<string, () => JsonValue>> = {
  labels: () => new Map(),
  annotations: () => new Map(),
  finalizers: () => [],
  ownerReferences: () => [],
};

/** A change of an object as a patch of the resource. */
export function patchOfObject(kind: KubernetesKind, change: ObjectChange): Patch {
  return (document, stored) => {
    const object = parseValue(renderObject(stored, kind));
    const shown = managersIn(object);
    const sent = change(object);
    requireSameObject(sent, stored);
    const after = cloneValue(document) as JsonObject;
    const metadata = after.get('metadata') as JsonObject;
    const managers = setManagers(sent.metadata.get('managedFields'), shown, kind);
    if (managers === null) metadata.delete('managedFields');
    else if (managers !== undefined) metadata.set('managedFields', [...managers]);
    const said = storedMetadata(sent, kind);
    requireNoNewFinalizers(said.get('finalizers'), stored);
    for (const [name, empty] of Object.entries(emptyMembers)) metadata.set(name, said.get(name) ?? empty());
    if (sent.name !== stored.name) metadata.set('name', JSON.stringify(sent.name ?? ''));
    after.set('spec', storedSpec(sent, kind, stored.spec));
    return after;
  };
}

/** A copy of the managers of an object, which its change may change. */
function managersIn(object: JsonValue): JsonValue | undefined {
  const managers = objectOf(objectOf(object)?.get('metadata'))?.get('managedFields');
  return managers === undefined ? undefined : cloneValue(managers);
}

/** A change of the status of an object as a patch of the slot that it is kept in. An empty status and none are the same. */
export function patchOfStatus(kind: KubernetesKind, change: ObjectChange): Patch {
  return (document, stored) => {
    const slot = document as JsonObject;
    const sent = change(parseValue(renderObject(stored, kind)));
    requireSameObject(sent, stored);
    const status = slotOfStatus(sent.status);
    return isEmpty(status) && isEmpty(slot.get('status')) ? slot : new Map([['status', status]]);
  };
}

const isEmpty = (value: JsonValue | undefined) => value instanceof Map && value.size === 0;

/** Throws `revision_conflict` for an object of another state, and `uid_conflict` for another object of the name. */
function requireSameObject({ resourceVersion, uid }: SentObject, stored: Resource): void {
  if (uid !== null && uid.toLowerCase() !== stored.uid) {
    throw new Problem('uid_conflict', `UID in precondition: ${uid}, UID in object meta: ${stored.uid}`);
  }
  if (resourceVersion === null) return;
  const version = parseResourceVersion(resourceVersion);
  if (version === null) {
    throw invalid([{ path: '/metadata/resourceVersion', message: 'must be a number that was read' }]);
  }
  if (version.of !== 'object' || version.uid !== stored.uid || version.revision !== stored.revision) {
    throw new Problem('revision_conflict', 'The object has been modified.', {
      members: { currentRevision: stored.revision },
    });
  }
}

/** New finalizers that a refusal names, at most. */
const mostNamed = 20;

/** Throws `validation_failed` for a finalizer that is added while the object is being deleted: its controller may have checked already. */
export function requireNoNewFinalizers(wanted: JsonValue | undefined, stored: Resource): void {
  if (stored.deletionTimestamp === null || !Array.isArray(wanted)) return;
  const known = new Set<JsonValue>(stored.finalizers.map((name) => JSON.stringify(name)));
  const added = wanted.filter((name) => !known.has(name));
  if (added.length === 0) return;
  const names = added.slice(0, mostNamed).map(renderValue);
  const more = added.length > mostNamed ? [`and ${added.length - mostNamed} more`] : [];
  const message = `no new finalizers can be added if the object is being deleted, found new finalizers [${[...names, ...more].join(', ')}]`;
  throw invalid([{ path: '/metadata/finalizers', message, reason: 'FieldValueForbidden' }]);
}

/** A replacement with an object that was sent. */
export const replacementWith =
  (sent: SentObject): ObjectChange =>
  () =>
    sent;
