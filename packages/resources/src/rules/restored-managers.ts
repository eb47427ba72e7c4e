import type { FieldSet } from '../model/field-set.ts';
import { type Manager, managedFieldsOf, parseManagers, renderManagers } from '../model/managed-fields.ts';
import type { JsonText, Resource } from '../model/resource.ts';

/**
 * `metadata.managedFields` of a restored resource: nobody has its finalizers and its status, which are left out, and its owners have the uids of now.
 * Null when the removed one had none.
 */
export function restoredManagedFields(removed: Resource, uidNow: (uid: string) => string): JsonText | null {
  const managed = managedFieldsOf(removed);
  if (managed === null) return null;
  const owners = new Map(removed.ownerReferences.map(({ uid }) => [itemOf(uid), itemOf(uidNow(uid))]));
  return renderManagers(
    parseManagers(managed)
      .filter(({ subresource }) => subresource === null)
      .map((manager): Manager => ({ ...manager, fields: restored(manager.fields, owners) })),
  );
}

function restored(fields: FieldSet, owners: ReadonlyMap<string, string>): FieldSet {
  return withChild(fields, 'f:metadata', (metadata) => {
    const children = new Map(metadata.children);
    children.delete('f:finalizers');
    return withChild({ ...metadata, children }, 'f:ownerReferences', (references) => ({
      ...references,
      children: new Map([...references.children].map(([item, set]) => [owners.get(item) ?? item, set])),
    }));
  });
}

function withChild(set: FieldSet, element: string, change: (child: FieldSet) => FieldSet): FieldSet {
  const child = set.children.get(element);
  return child === undefined ? set : { ...set, children: new Map(set.children).set(element, change(child)) };
}

/** An owner reference, as FieldsV1 names an item by its key. */
function itemOf(uid: string): string {
  return `k:${JSON.stringify({ uid })}`;
}
