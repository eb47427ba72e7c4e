import { randomUUID } from 'node:crypto';
import type { ChangeContext, CollectionRef, CreateCommand, Resource, UidRef } from '@platform/resources';
import { groupOf, systemChange } from '@platform/resources';
import type { Store } from '../src/index.ts';

let made = 0;

/** The context of writes in tests that are about something else. */
export const testChange: ChangeContext = systemChange('test', 'update');

/** A create that is accepted: a root-scoped Widget, or another kind below the given rows. */
export function creation(changes: Partial<CreateCommand> = {}): CreateCommand {
  const uid = randomUUID();
  made += 1;
  return {
    change: testChange,
    definition: null,
    collection: { group: 'example.dev', kind: 'Widget', ancestors: [] },
    uid,
    apiVersion: 'example.dev/v1',
    name: `n-${uid}`,
    discriminator: `d${made.toString(36).padStart(7, '0')}`,
    labels: {},
    metadata: '{"annotations":{}}',
    spec: '{}',
    finalizers: [],
    ownerReferences: [],
    ...changes,
  };
}

/** The collection of a kind below the rows, root-most first. */
export function below(kind: string, ...ancestors: readonly Resource[]): CollectionRef {
  return {
    group: 'example.dev',
    kind,
    ancestors: ancestors.map((row) => ({ group: groupOf(row.apiVersion), kind: row.kind, name: row.name })),
  };
}

/** Stores a row. */
export async function given(store: Store, changes: Partial<CreateCommand> = {}): Promise<Resource> {
  const outcome = await store.writer.create(creation(changes));
  if (outcome.outcome !== 'created') throw new Error(`expected a created row, got ${outcome.outcome}`);
  return outcome.resource;
}

/** The row by its uid. */
export function byUid(row: Resource): UidRef {
  return { by: 'uid', uid: row.uid, group: groupOf(row.apiVersion), kind: row.kind };
}

/** The row as it is stored now, or null. */
export async function reread(store: Store, row: Resource): Promise<Resource | null> {
  const found = await store.reader.get(byUid(row), null);
  return found.outcome === 'read' ? found.resource : null;
}
