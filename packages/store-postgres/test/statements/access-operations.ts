import type { AccessGuard, CollectionRef, ResourceRef } from '@platform/resources';
import type { Operations, Ports } from './operation.ts';
import { byUid, creation, definition, each, inside, partKind, path } from './resource-operations.ts';
import { deepest, hotParent, levels, uidOf, widget } from './rows.ts';

/** A guard with the scopes of the hot parent and ninety-nine rows, as of somebody with many bindings. */
async function guard({ access }: Ports): Promise<AccessGuard> {
  const scopes = Array.from({ length: 100 }, (_, n) => ({ scope: uidOf('1', n), name: null }));
  return { version: await access.version(), entries: [...scopes, { scope: uidOf('4', 1), name: null }] };
}

/** The rows of the path at each depth, and one by uid. */
async function guarded(ports: Ports, depths: readonly number[]): Promise<readonly ResourceRef[]> {
  const access = await guard(ports);
  const named = { ...access, entries: access.entries.map((entry) => ({ ...entry, name: 'w1' })) };
  return [access, named].flatMap((each) =>
    [...depths.map(path), byUid].map((ref) => ({ ...ref, access: each })),
  );
}

async function collections(ports: Ports, depths: readonly number[]): Promise<readonly CollectionRef[]> {
  const access = await guard(ports);
  const everything = { ...access, entries: [{ scope: null, name: null }] };
  const root = { group: 'example.dev', kind: 'Widget', ancestors: [] };
  return [
    ...depths.map((depth) => ({ ...partKind, ancestors: levels(depth), access })),
    { ...partKind, ancestors: [widget(hotParent)], access },
    { ...root, access },
    { ...root, access: everything },
  ];
}

const change = creation(0).change;

/** Roles and bindings, and what the checks of requests ask about them. */
export const accessOperations: Operations = {
  'load of roles and bindings': {
    run: ({ access }) => access.load(),
    indexes: ['resources_name_key', 'service_accounts_email_key'],
    alternatives: ['service_accounts_pkey'],
    pages: 100,
    because: 'every role and binding, of which there are none here',
  },
  'version of roles and bindings': {
    run: ({ access }) => access.version(),
    indexes: [],
    pages: 10,
    because: 'one row',
  },
  'checks of a binding': {
    run: ({ transactions }) =>
      transactions.run(async ({ access }) => {
        await access.version();
        await access.lineage(uidOf('4', deepest));
        await access.role('viewer');
      }),
    indexes: ['resources_name_key', 'resources_pkey'],
    pages: 20,
    because: 'two rows',
  },
  'creation of the default roles': {
    run: ({ transactions }) =>
      transactions.run(async ({ access }) => {
        await access.rolesCreated();
        await access.markRolesCreated();
      }),
    indexes: [],
    pages: 20,
    because: 'one row',
  },
  'reads with bindings': {
    run: async (ports, depths) => {
      for (const ref of await guarded(ports, depths)) {
        await ports.reader.get(ref, definition);
        await ports.reader.blockers(ref, 100, definition);
        await ports.reader.reach(ref);
      }
      await ports.reader.places([uidOf('1', 3), uidOf('2', 7)]);
    },
    indexes: ['resources_definition_identity', 'resources_name_key', 'resources_owners', 'resources_pkey'],
    pages: 5_000,
    because: 'as without bindings',
    sorted: 3_000,
  },
  'pages with bindings': {
    run: async (ports, depths) => {
      for (const collection of await collections(ports, depths)) {
        for (const limit of [100, 500]) {
          await ports.reader.list(collection, { limit, after: null }, definition);
        }
        await ports.reader.reach(collection);
      }
    },
    indexes: ['resources_binding_scopes', 'resources_name_key', 'resources_pkey'],
    pages: 2_000,
    because: 'a page, or a row a scope',
    filtered: 200,
  },
  'creates with bindings': {
    run: async (ports, depths) => {
      const given = await collections(ports, depths);
      await each(given, (collection) => ports.writer.create(creation(0, { collection })));
      await each(given, (collection) =>
        inside(ports, ({ writer }) => writer.create(creation(0, { collection }))),
      );
    },
    indexes: ['resources_name_key', 'resources_pkey', 'resources_sibling_discriminator'],
    pages: 800,
    because: 'as without bindings',
  },
  'writes with bindings': {
    run: async (ports, depths) => {
      const status = (ref: ResourceRef) => ({ change, definition, ref, slot: 'a', value: '1' });
      const added = (ref: ResourceRef) => ({
        change,
        definition,
        ref,
        add: ['a.dev/x'],
        remove: [],
        limit: 64,
      });
      for (const ref of await guarded(ports, depths)) {
        await ports.writer.replaceStatus(status(ref));
        await ports.writer.changeFinalizers(added(ref));
        await inside(ports, async ({ writer, lockRow, deletion }) => {
          await lockRow(ref, definition);
          await writer.replaceStatus(status(ref));
          await writer.changeFinalizers(added(ref));
          await deletion.lock(ref, definition);
        });
      }
    },
    indexes: ['resources_name_key', 'resources_owners', 'resources_pkey', 'resources_protected'],
    pages: 400,
    because: 'as without bindings',
  },
};
