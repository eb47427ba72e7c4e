import type { CreateCommand, PathRef, ReplaceCommand, ResourceRef } from '@platform/resources';
import { findDependents } from '../../src/operations/resources/cascade.ts';
import { lockForDeletion } from '../../src/operations/resources/lock-for-deletion.ts';
import { protectedFrom } from '../../src/operations/resources/protected-from.ts';
import { removeRow } from '../../src/operations/resources/remove.ts';
import { testChange } from '../rows.ts';
import type { Operations, Ports } from './operation.ts';
import {
  deepest,
  discriminatorOf,
  hotOwner,
  hotParent,
  levels,
  ownedBy,
  parentOf,
  part,
  uidOf,
  widget,
} from './rows.ts';

export const partKind = { group: 'example.dev', kind: 'Part' };
const definitionUid = uidOf('6', 1_000);
/** The definition of Parts, at the version that the seed gives it. */
export const definition = { uid: definitionUid, version: definitionUid };
const unregisteredUid = uidOf('7', 1);

/** A Part that is live in every state of the table and owned by nobody, by its uid; and one with an owner. */
export const byUid: ResourceRef = { by: 'uid', uid: uidOf('2', 7), ...partKind };
const owned = uidOf('2', 1);

export function path(depth: number): PathRef {
  return { by: 'path', steps: levels(depth) };
}

const protectedMetadata = '{"annotations":{"platform.dev/deletion-protection":"true"}}';

let created = 0;

/** A create below `depth` ancestors that is accepted. */
export function creation(depth: number, changes: Partial<CreateCommand> = {}): CreateCommand {
  created += 1;
  return {
    change: testChange,
    definition,
    collection: { ...partKind, ancestors: levels(depth) },
    uid: uidOf('9', created),
    apiVersion: 'example.dev/v1',
    name: `new-${created}`,
    discriminator: `n${created.toString().padStart(7, '0')}`,
    labels: {},
    metadata: '{}',
    spec: '{}',
    finalizers: [],
    ownerReferences: [],
    ...changes,
  };
}

/** A replacement of the Part with number 7. */
function replacement(changes: Partial<ReplaceCommand> = {}): ReplaceCommand {
  return {
    change: testChange,
    definition,
    uid: uidOf('2', 7),
    revision: 1,
    apiVersion: 'example.dev/v1',
    labels: {},
    metadata: '{}',
    spec: '{}',
    specChanged: true,
    finalizers: [],
    ownerReferences: [],
    addedOwners: [],
    ...changes,
  };
}

/** Lets the operation of a transaction run, as the API's use cases do. */
export function inside<T>(ports: Ports, work: Parameters<Ports['transactions']['run']>[0]): Promise<T> {
  return ports.transactions.run(work) as Promise<T>;
}

export async function each<T>(items: readonly T[], run: (item: T) => Promise<unknown>): Promise<void> {
  for (const item of items) await run(item);
}

const unregistered: ResourceRef = { by: 'unregistered', uid: unregisteredUid, apiVersion: 'example.dev/v1' };
const refs = (depths: readonly number[]): readonly ResourceRef[] => [
  ...depths.map(path),
  byUid,
  unregistered,
];
const collections = (depths: readonly number[]) => [0, ...depths];

/** Reads of resources. */
export const resourceReads: Operations = {
  'read by path': {
    run: ({ reader }, depths) => each(depths, (depth) => reader.get(path(depth), definition)),
    indexes: ['resources_name_key', 'resources_pkey'],
    pages: 200,
    because: 'four a level, 33 levels',
  },
  'read by path, 64 at once': {
    run: ({ reader }) =>
      Promise.all(
        Array.from({ length: 64 }, (_, n) => reader.get({ by: 'path', steps: part(n) }, definition)),
      ),
    indexes: ['resources_name_key', 'resources_pkey'],
    pages: 1_000,
    because: 'eight a path of two levels, 64 paths',
  },
  'read by uid': {
    run: ({ reader }) => reader.get(byUid, definition),
    indexes: ['resources_pkey'],
    pages: 20,
    because: 'one row',
  },
  'read of a resource without a definition': {
    run: ({ reader }) =>
      reader.get({ by: 'unregistered', uid: unregisteredUid, apiVersion: 'example.dev/v1' }, definition),
    indexes: ['resources_definition_identity', 'resources_pkey'],
    pages: 100,
    because: 'one row, and the definitions for its kind',
  },
  'page of 100': {
    run: ({ reader }, depths) =>
      each([levels(0), ...depths.map(levels), [widget(hotParent)]], (ancestors) =>
        reader.list({ ...partKind, ancestors }, { limit: 100, after: 'p7' }, null),
      ),
    indexes: ['resources_name_key', 'resources_pkey'],
    pages: 400,
    because: '33 levels, and a row a page',
  },
  'page of 500': {
    run: ({ reader }, depths) =>
      each([levels(0), ...depths.map(levels), [widget(hotParent)]], (ancestors) =>
        reader.list({ ...partKind, ancestors }, { limit: 500, after: null }, null),
      ),
    indexes: ['resources_name_key', 'resources_pkey'],
    pages: 1_000,
    because: '33 levels, and a row a page',
  },
  'page of everything': {
    run: ({ reader }) => each([null, uidOf('2', 7)], (after) => reader.all(after, 100)),
    indexes: ['resources_pkey'],
    pages: 400,
    because: 'a row a page',
  },
  'pending deletion': {
    run: ({ reader }) =>
      each([null, { time: new Date().toISOString(), uid: uidOf('2', 7) }], (after) =>
        reader.pendingDeletion({ limit: 500, after }),
      ),
    indexes: ['resources_name_key', 'resources_owners', 'resources_pkey', 'resources_tombstones'],
    pages: 2_600,
    because: '500 rows by uid, five pages a row; while a cascade is pending, also all its dependents',
  },
  blockers: {
    run: ({ reader }, depths) =>
      each([...refs(depths), { by: 'path', steps: [widget(8)] } as const], (ref) =>
        reader.blockers(ref, 100, definition),
      ),
    indexes: ['resources_definition_identity', 'resources_name_key', 'resources_owners', 'resources_pkey'],
    pages: 5_000,
    because: 'all 2,600 dependents of the row, of which the first 100 by version, kind and name are shown',
    sorted: 3_000,
  },
  'graph of a deletion': {
    run: async ({ reader }) => {
      await reader.deletionGraph(uidOf('1', 8), { limit: 2_000, follow: 'all' });
      await reader.deletionGraph(uidOf('1', hotOwner), { limit: 2_000, follow: 'holding' });
    },
    indexes: ['resources_name_key', 'resources_owners', 'resources_pkey'],
    pages: 40_000,
    because: '2,000 edges: each is looked for, and its row read',
    filtered: 3_000,
    filteredTombstones: 30_000,
    sorted: 4_100,
  },
  'plan of a deletion': {
    run: async (ports) => {
      await ports.plans.save({ hash: 'a'.repeat(64), rootUid: uidOf('1', 8), resources: [] });
      await ports.plans.find('a'.repeat(64));
      await inside(ports, ({ deletion }) => deletion.lockGraph(uidOf('2', 7), 100));
    },
    indexes: ['deletion_plans_pkey', 'resources_name_key', 'resources_owners', 'resources_pkey'],
    pages: 100,
    because: 'one plan; a row without dependents',
  },
  'explanation: rows, definitions, pause': {
    run: async ({ reader }) => {
      await reader.resources([uidOf('2', 7), owned]);
      await reader.resources([uidOf('2', 7), owned], { documents: false });
      await reader.definitionsOf([partKind]);
      await reader.instancesOf(partKind, 10);
      await reader.collectorPausedSince();
    },
    indexes: ['resources_definition_identity', 'resources_instances', 'resources_pkey'],
    pages: 100,
    because: 'two rows and a definition',
  },
  'blockers of a wide owner': {
    run: ({ reader }) =>
      each([hotParent, hotOwner], (n) =>
        reader.blockers({ by: 'path', steps: [widget(n)] }, 100, definition),
      ),
    indexes: ['resources_name_key', 'resources_owners', 'resources_pkey'],
    pages: 150_000,
    because: 'all 125,000 dependents, of which the first 100 by version, kind and name are shown',
    sorted: 130_000,
    filtered: 1_000,
  },
};

/** Writes of resources. */
export const resourceWrites: Operations = {
  'request with an idempotency key': {
    run: async ({ transactions }) => {
      await transactions.run(async ({ requests }) => {
        await requests.claim('fresh');
        await requests.keep('fresh', 'hash', { status: 201, headers: {}, body: '{}' });
        await requests.claim('fresh');
      });
    },
    indexes: ['answered_requests_pkey'],
    pages: 40,
    because: 'one row; one entry in each index',
  },
  create: {
    run: (ports, depths) =>
      each(collections(depths), (depth) => inside(ports, ({ writer }) => writer.create(creation(depth)))),
    indexes: ['resources_name_key', 'resources_pkey', 'resources_sibling_discriminator'],
    pages: 400,
    because: '33 levels; one entry in each index',
  },
  'create with owners': {
    run: (ports, depths) =>
      each(collections(depths), (depth) =>
        inside(ports, ({ writer }) =>
          writer.create(creation(depth, { ownerReferences: [ownedBy(3), ownedBy(hotOwner)] })),
        ),
      ),
    indexes: ['resources_name_key', 'resources_pkey', 'resources_sibling_discriminator'],
    pages: 400,
    because: '33 levels, two owners; one entry in each index',
  },
  'concurrent creates': {
    run: ({ writer }, depths) =>
      each(collections(depths), async (depth) => {
        await Promise.all([creation(depth), creation(depth)].map((each) => writer.create(each)));
        await Promise.all(
          [creation(depth), creation(depth, { ownerReferences: [ownedBy(3)] })].map((each) =>
            writer.create(each),
          ),
        );
      }),
    indexes: ['resources_name_key', 'resources_pkey', 'resources_sibling_discriminator'],
    pages: 800,
    because: 'two rows below 33 levels each',
  },
  'create of 64 below one parent': {
    run: ({ writer }) =>
      Promise.all(
        Array.from({ length: 64 }, () =>
          writer.create(creation(1, { collection: { ...partKind, ancestors: [widget(hotParent)] } })),
        ),
      ),
    indexes: ['resources_name_key', 'resources_pkey', 'resources_sibling_discriminator'],
    pages: 5_000,
    because: '40 a row: parent, definition, foreign key, indexes',
  },
  'conflict of a create': {
    run: async ({ writer }) => {
      await writer.create(
        creation(0, { collection: { group: 'example.dev', kind: 'Widget', ancestors: [] }, name: 'w3' }),
      );
      await writer.create(
        creation(1, { collection: { ...partKind, ancestors: [widget(parentOf(7))] }, name: 'p7' }),
      );
      await writer.create(
        creation(1, {
          collection: { ...partKind, ancestors: [widget(parentOf(7))] },
          discriminator: discriminatorOf('p', 7),
        }),
      );
    },
    indexes: ['resources_name_key', 'resources_pkey', 'resources_sibling_discriminator'],
    pages: 100,
    because: 'two look-ups',
  },
  replace: {
    run: async (ports) => {
      await inside(ports, async ({ writer }) => {
        await writer.replace(replacement());
        await writer.replace(replacement({ revision: 9 }));
        await writer.replace(replacement({ uid: uidOf('8', 1) }));
      });
    },
    indexes: ['resources_pkey'],
    pages: 300,
    because: 'two rows, and the search for free space',
  },
  'concurrent replacements': {
    run: ({ writer }) =>
      Promise.all(
        Array.from({ length: 64 }, (_, n) =>
          writer.replace(replacement({ uid: uidOf('2', n), revision: 1 })),
        ),
      ),
    indexes: ['resources_pkey'],
    pages: 6_000,
    because: '30 a row, 64 rows, and the search for free space behind tombstones',
  },
  'replace, gaining owners': {
    run: async ({ writer }) => {
      const owners = [ownedBy(3), ownedBy(hotOwner)];
      await writer.replace(replacement({ ownerReferences: owners, addedOwners: owners, revision: 9 }));
      await writer.replace(replacement({ ownerReferences: owners, addedOwners: owners }));
    },
    indexes: ['resources_pkey', 'resources_protected'],
    pages: 200,
    because: 'the row, two owners, what is above them',
  },
  'write of a status slot': {
    run: (ports, depths) =>
      each(refs(depths), (ref) =>
        inside(ports, async ({ writer, lockRow }) => {
          await lockRow(ref, definition);
          await writer.replaceStatus({ change: testChange, definition, ref, slot: 'a', value: '1' });
          await writer.replaceStatus({ change: testChange, definition, ref, slot: 'a', value: null });
        }),
      ),
    indexes: ['resources_definition_identity', 'resources_name_key', 'resources_pkey'],
    pages: 300,
    because: '33 levels',
  },
  'write of a status slot with its managers': {
    run: (ports, depths) =>
      each(refs(depths), (ref) =>
        inside(ports, async ({ writer, lockRow }) => {
          await lockRow(ref, definition);
          const slot = { slot: 'a', value: '1', metadata: '{"annotations":{}}' };
          await writer.replaceStatus({ change: testChange, definition, ref, ...slot });
        }),
      ),
    indexes: ['resources_definition_identity', 'resources_name_key', 'resources_pkey'],
    pages: 300,
    because: '33 levels',
  },
  'concurrent status writes': {
    run: ({ writer }, depths) =>
      each(refs(depths), (ref) =>
        writer.replaceStatus({ change: testChange, definition, ref, slot: 'a', value: '1' }),
      ),
    indexes: ['resources_definition_identity', 'resources_name_key', 'resources_pkey'],
    pages: 300,
    because: '33 levels',
  },
  'concurrent status writes, 64': {
    run: ({ writer }) =>
      Promise.all(
        Array.from({ length: 64 }, (_, n) =>
          writer.replaceStatus({
            change: testChange,
            definition: null,
            ref: { by: 'path', steps: part(n) },
            slot: 'a',
            value: '1',
          }),
        ),
      ),
    indexes: ['resources_name_key', 'resources_pkey'],
    pages: 6_000,
    because: '30 a row, 64 rows, and the search for free space behind tombstones',
  },
  'change of finalizers': {
    run: (ports, depths) =>
      each(refs(depths), (ref) =>
        inside(ports, async ({ writer }) => {
          await writer.changeFinalizers({
            change: testChange,
            definition: null,
            ref,
            add: ['example.dev/a'],
            remove: [],
            limit: 64,
          });
          await writer.changeFinalizers({
            change: testChange,
            definition: null,
            ref,
            add: [],
            remove: ['example.dev/a'],
            limit: 64,
          });
        }),
      ),
    indexes: ['resources_definition_identity', 'resources_name_key', 'resources_pkey'],
    pages: 300,
    because: '33 levels',
  },
  'concurrent changes of finalizers': {
    run: ({ writer }, depths) =>
      each(refs(depths), async (ref) => {
        await writer.changeFinalizers({
          change: testChange,
          definition: null,
          ref,
          add: ['example.dev/a'],
          remove: [],
          limit: 64,
        });
        await writer.changeFinalizers({
          change: testChange,
          definition: null,
          ref,
          add: [],
          remove: ['example.dev/a'],
          limit: 64,
        });
      }),
    indexes: ['resources_definition_identity', 'resources_name_key', 'resources_pkey'],
    pages: 300,
    because: '33 levels',
  },
  'concurrent changes of finalizers, 64': {
    run: ({ writer }) =>
      Promise.all(
        Array.from({ length: 64 }, (_, n) => {
          const ref = { by: 'path', steps: part(n) } as const;
          return writer.changeFinalizers({
            change: testChange,
            definition: null,
            ref,
            add: ['example.dev/a'],
            remove: [],
            limit: 64,
          });
        }),
      ),
    indexes: ['resources_name_key', 'resources_pkey'],
    pages: 6_000,
    because: '30 a row, 64 rows, and the search for free space behind tombstones',
  },
};

/** Deletions of resources, and what they set off. */
export const resourceDeletions: Operations = {
  'lock for a deletion': {
    run: (ports, depths) =>
      each([...refs(depths), { by: 'uid', uid: owned, ...partKind } as const], (ref) =>
        inside(ports, ({ deletion }) => deletion.lock(ref, definition)),
      ),
    indexes: [
      'resources_definition_identity',
      'resources_name_key',
      'resources_owners',
      'resources_pkey',
      'resources_protected',
    ],
    pages: 300,
    because: '33 levels',
  },
  'lock of dependents that were added meanwhile': {
    run: async ({ database }) => {
      const late = creation(1, { collection: { ...partKind, ancestors: [widget(8)] } });
      let statements = 0;
      await lockForDeletion(
        {
          rows: async (text, parameters) => {
            statements += 1;
            if (statements === 2) {
              await database.rows(
                `insert into resources (uid, parent_uid, api_version, kind, name, discriminator)
                 values ('${late.uid}', '${uidOf('2', 7)}', 'example.dev/v1', 'Part', '${late.name}', '${late.discriminator}')`,
              );
            }
            return database.rows(text, parameters);
          },
        },
        byUid,
        null,
        5_000,
      );
    },
    indexes: ['resources_name_key', 'resources_owners', 'resources_pkey', 'resources_protected'],
    pages: 400,
    because: 'the row and one dependent',
  },
  'write that protects a row': {
    run: (ports, depths) =>
      each([0, ...depths], async (depth) => {
        const ownerReferences = [ownedBy(3)];
        await ports.writer.create(creation(depth, { metadata: protectedMetadata, ownerReferences }));
        if (depth === 0) await ports.writer.replace(replacement({ metadata: protectedMetadata }));
      }),
    indexes: ['resources_name_key', 'resources_pkey', 'resources_sibling_discriminator'],
    pages: 400,
    because: '33 levels',
  },
  'search for protected rows': {
    run: async (ports) => {
      await ports.writer.replace(replacement({ metadata: protectedMetadata }));
      await ports.writer.replace(replacement({ metadata: protectedMetadata, uid: owned }));
      await inside(ports, async ({ deletion }) => {
        await deletion.lock({ by: 'path', steps: [widget(8)] }, definition);
        await deletion.protectedFrom(uidOf('1', 8), 100);
        await protectedFrom(ports.database, uidOf('1', 8), 100, [1, 2_000]);
      });
    },
    indexes: ['resources_name_key', 'resources_owners', 'resources_pkey', 'resources_protected'],
    pages: 30_000,
    because:
      'five a dependent that is locked, 2,600 of them; up from two protected rows, down over 2,000 dependents',
    filtered: 50,
    filteredTombstones: 5_000,
  },
  'delete with a cascade': {
    run: (ports) =>
      inside(ports, async ({ deletion }) => {
        const locked = await deletion.lock({ by: 'path', steps: [widget(8)] }, definition);
        if (locked.outcome !== 'locked') throw new Error(locked.outcome);
        await deletion.cascade(uidOf('1', 8), testChange);
        await deletion.tombstone(uidOf('1', 8), { cascadeFinalizer: true, change: testChange });
      }),
    indexes: ['resources_name_key', 'resources_owners', 'resources_pkey', 'resources_protected'],
    pages: 120_000,
    because: '25 for each dependent that is marked as deleted, 2,600 of them: a new entry in each index',
    filtered: 50,
    filteredTombstones: 5_000,
  },
  'dependents of a row after a write below it in its transaction': {
    run: ({ database }) => findDependents(database, uidOf('1', 8), 5_000),
    indexes: ['resources_name_key', 'resources_owners'],
    pages: 10_000,
    because: 'all 2,600 dependents of the row',
    filtered: 50,
    filteredTombstones: 5_000,
  },
  'delete of a leaf': {
    run: async ({ writer }) => {
      const remove = (ref: ResourceRef) => writer.removeLeaf({ change: testChange, definition, ref });
      await remove({ by: 'uid', uid: owned, ...partKind });
      await remove({ by: 'path', steps: [widget(8)] });
      await Promise.all([9, 10, 11].map((n) => remove({ by: 'path', steps: [widget(n)] })));
    },
    indexes: ['resources_name_key', 'resources_owners', 'resources_pkey'],
    pages: 200,
    because: 'five rows, one of them a leaf',
  },
  'delete of a single row': {
    run: async (ports) => {
      await inside(ports, async ({ deletion }) => {
        await deletion.lock(byUid, definition);
        await deletion.tombstone(uidOf('2', 7), { cascadeFinalizer: false, change: testChange });
      });
      await removeRow(ports.database, owned, testChange);
    },
    indexes: ['resources_name_key', 'resources_owners', 'resources_pkey', 'resources_protected'],
    pages: 100,
    because: 'one row',
  },
  'delete of a finalizer from a tombstone': {
    run: async ({ database, writer }) => {
      await database.rows(
        `update resources set deletion_timestamp = now(), finalizers = '{a/b}' where uid = '${owned}'`,
      );
      await writer.changeFinalizers({
        change: testChange,
        definition,
        ref: { by: 'uid', uid: owned, ...partKind },
        add: [],
        remove: ['a/b'],
        limit: 9,
      });
      await writer.replace(replacement({ uid: owned, revision: 3 }));
    },
    indexes: ['resources_pkey'],
    pages: 100,
    because: 'one row',
  },
  'delete of an Organization': {
    run: (ports) =>
      inside(ports, async ({ writer, deletion }) => {
        await deletion.hasTypedChildren(uidOf('5', 0));
        const organization = { group: 'platform.dev', kind: 'Organization', ancestors: [] };
        const fresh = creation(0, {
          definition: null,
          collection: organization,
          apiVersion: 'platform.dev/v1alpha1',
        });
        await writer.create(fresh);
        await deletion.remove(fresh.uid, testChange);
      }),
    indexes: [
      'projects_organization_name',
      'resources_name_key',
      'resources_pkey',
      'resources_sibling_discriminator',
      'teams_organization_name',
    ],
    pages: 400,
    because: 'one row; whether it has projects or teams',
  },
  'lock of the widest parent': {
    run: (ports) =>
      inside(ports, async ({ deletion }) => {
        await deletion.lock({ by: 'path', steps: [widget(hotParent)] }, definition);
      }),
    indexes: ['resources_name_key', 'resources_owners', 'resources_pkey', 'resources_protected'],
    pages: 30_000,
    pagesTombstones: 72_000,
    because:
      '5,001 dependents are enough to know that they are too many to lock and mark; they may lie between 300,000 tombstones',
    sorted: 10_100,
    filteredTombstones: 150_000,
  },
  'delete that leaves its dependents to the collector': {
    run: (ports) =>
      inside(ports, async ({ deletion }) => {
        const uid = uidOf('1', hotParent);
        await deletion.lock({ by: 'path', steps: [widget(hotParent)] }, definition);
        await deletion.cascade(uid, testChange);
        await deletion.tombstone(uid, { cascadeFinalizer: true, change: testChange });
      }),
    indexes: ['resources_name_key', 'resources_owners', 'resources_pkey', 'resources_protected'],
    pages: 30_000,
    pagesTombstones: 320_000,
    because:
      'as the lock of the widest parent, and one row; where up to 5,000 are live, these are marked as deleted, 32 pages a row',
    sorted: 10_100,
    filteredTombstones: 150_000,
  },
};

/** The definitions, and what their changes ask. */
export const definitionOperations: Operations = {
  'load of definitions': {
    run: async ({ definitions }) => {
      await definitions.load('example.dev', `level${deepest}s`);
      await definitions.version('example.dev', `level${deepest}s`);
    },
    indexes: ['resources_definition_identity', 'resources_definition_plural'],
    pages: 200,
    because: 'a chain of 33 definitions',
  },
  'version of all definitions': {
    run: ({ definitions }) => definitions.catalogVersion(),
    indexes: [],
    pages: 2,
    because: 'one row',
  },
  'versions that instances are stored at': {
    run: ({ definitions }) => definitions.storedVersions(['parts']),
    indexes: ['resources_definition_plural', 'resources_instances'],
    pages: 50,
    because: 'one definition, and one row of each of its versions',
  },
  'check of a definition': {
    run: (ports) =>
      inside(ports, async ({ definitions }) => {
        await definitions.lockCatalog();
        await definitions.lockDefinition(definitionUid);
        await definitions.claiming('parts', partKind, null);
        await definitions.chain({ group: 'example.dev', kind: `Level${deepest}` }, 33);
        await definitions.heightBelow({ group: 'example.dev', kind: 'Level1' }, 33);
        await definitions.parentOfInstances(partKind);
      }),
    indexes: [
      'resources_definition_identity',
      'resources_definition_plural',
      'resources_instances',
      'resources_pkey',
    ],
    pages: 400,
    because:
      'a chain of 33 definitions; all 202 for the height, with the rows they were before their last change',
  },
  'count of instances': {
    run: (ports) =>
      inside(ports, ({ definitions }) => definitions.countInstances(definitionUid, partKind, 10_000)),
    indexes: ['resources_instances', 'resources_pkey'],
    pages: 25_000,
    because: '10,000 rows of each version at most, with the pages they are on where vacuum has not been',
    filtered: 50,
  },
  'Organizations at the start': {
    run: (ports) =>
      inside(ports, async ({ organizations }) => {
        await organizations.lockBootstrap();
        await organizations.any();
        await organizations.exists('default');
      }),
    indexes: ['resources_name_key'],
    pages: 20,
    because: 'one row',
  },
};
