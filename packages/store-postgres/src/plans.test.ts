import type { CreateCommand, PathStep, ReplaceCommand, ResourceRef } from '@platform/resources';
import { testStore } from '../test/store.ts';
import type { Parameter, Sql } from './connection.ts';
import { applyPlan } from './operations/collection/apply-plan.ts';
import { backlog } from './operations/collection/backlog.ts';
import { climb } from './operations/collection/climb.ts';
import { lockBatch } from './operations/collection/lock-batch.ts';
import { lookOutside } from './operations/collection/look-outside.ts';
import { plannerSettings } from './operations/collection/planned.ts';
import { reach } from './operations/collection/reach.ts';
import { revisions } from './operations/collection/revisions.ts';
import { tombstones } from './operations/collection/tombstones.ts';
import { definitionChain, loadDefinitions } from './operations/definitions/chain.ts';
import { claiming } from './operations/definitions/claiming.ts';
import { countInstances } from './operations/definitions/count-instances.ts';
import { heightBelow } from './operations/definitions/height-below.ts';
import { organizationsExist } from './operations/organizations/organizations-exist.ts';
import { reportBlockers } from './operations/resources/blockers.ts';
import { cascadeFrom } from './operations/resources/cascade.ts';
import { changeFinalizers } from './operations/resources/change-finalizers.ts';
import { createMany } from './operations/resources/create-many.ts';
import { findConflict } from './operations/resources/find-conflict.ts';
import { getMany } from './operations/resources/get-many.ts';
import { listPage } from './operations/resources/list.ts';
import { locate } from './operations/resources/locate.ts';
import { lockForDeletion } from './operations/resources/lock-for-deletion.ts';
import { pendingDeletion } from './operations/resources/pending-deletion.ts';
import { removeRow } from './operations/resources/remove.ts';
import { replaceRow, replaceTogether } from './operations/resources/replace.ts';
import { replaceAddingOwners } from './operations/resources/replace-adding-owners.ts';
import { replaceStatus, writeStatusTogether } from './operations/resources/replace-status.ts';
import { tombstoneRow } from './operations/resources/tombstone.ts';

const fixture = testStore();

const definitionUid = '00000000-0000-7000-8000-000000000001';
const widget = { group: 'example.dev', kind: 'Widget', name: 'w7' };
const widgetUid = uidOf('1', 7);
const part: PathStep = { group: 'example.dev', kind: 'Part', name: 'p7' };
const partUid = uidOf('2', 7);
const byPath: ResourceRef = { by: 'path', steps: [widget, part] };
const byUid: ResourceRef = { by: 'uid', uid: partUid, group: 'example.dev', kind: 'Part' };
const orphan: ResourceRef = { by: 'orphan', uid: partUid, apiVersion: 'example.dev/v1' };
const owner = { apiVersion: 'example.dev/v1', ...widget, uid: widgetUid, blockOwnerDeletion: true };
const creation: CreateCommand = {
  epoch: 1,
  definitionUid,
  collection: { group: 'example.dev', kind: 'Part', ancestors: [widget] },
  uid: uidOf('3', 1),
  apiVersion: 'example.dev/v1',
  name: 'new',
  discriminator: 'newnewne',
  metadata: '{}',
  spec: '{}',
  finalizers: [],
  ownerReferences: [],
};
const replacement: ReplaceCommand = {
  ...{ epoch: 1, definitionUid, uid: partUid, revision: 1, apiVersion: 'example.dev/v1', metadata: '{}' },
  ...{ spec: '{}', specChanged: true, finalizers: [], ownerReferences: [owner], addedOwners: [owner] },
};
const status = { epoch: 1, ref: byUid, slot: 'a', value: '1' };
const kind = { group: 'example.dev', kind: 'Part' };

/** A live row whose parent and owner are outside the batch, and one that owns others. */
const batch = [widgetUid, uidOf('2', 5)].sort();
const plan = {
  remove: [uidOf('3', 999)],
  change: [{ uid: widgetUid, tombstone: true, cascadeFinalizer: 'ensure' as const }],
  cascades: [],
  verdicts: [],
};

const names = 'resources_name_key';
const discriminators = 'resources_discriminator_key';
const keys = 'resources_pkey';
const owners = 'resources_owners';
const plurals = 'resources_definition_plural';
const identities = 'resources_definition_identity';

/** Every statement about resources, with the indexes that it may use. Whatever is not in the list is a scan of the table. */
const operations: Readonly<Record<string, readonly [(sql: Sql) => Promise<unknown>, readonly string[]]>> = {
  'get by path': [(sql) => getMany(sql, [byPath, byPath].map(locate)), [names]],
  'get by uid': [(sql) => getMany(sql, [locate(byUid)]), [keys]],
  'get an orphan': [(sql) => getMany(sql, [locate(orphan)]), [identities, keys]],
  list: [(sql) => listPage(sql, creation.collection, { limit: 100, after: 'p2' }, 1), [names]],
  'list, a large page': [
    (sql) => listPage(sql, creation.collection, { limit: 500, after: 'p2' }, 1),
    [names],
  ],
  'pending deletion': [(sql) => pendingDeletion(sql, 100), ['resources_tombstones']],
  'pending deletion, many': [(sql) => pendingDeletion(sql, 1000), ['resources_tombstones']],
  blockers: [(sql) => reportBlockers(sql, byPath, 1000, 1), [names, owners, keys]],
  'create, waiting': [(sql) => createMany(sql, [creation], 'wait'), [names, keys]],
  'create, a batch': [
    (sql) => createMany(sql, [creation, { ...creation, ownerReferences: [owner] }], 'skip'),
    [names, keys],
  ],
  'what a create met': [(sql) => findConflict(sql, creation, widgetUid), [names, discriminators]],
  replace: [(sql) => replaceRow(sql, replacement), [keys]],
  'replace, a batch': [(sql) => replaceTogether(sql, [replacement, replacement]), [keys]],
  'replace, adding owners': [(sql) => replaceAddingOwners(sql, replacement), [keys]],
  'write status': [(sql) => replaceStatus(sql, { ...status, ref: byPath }), [names]],
  'write status, a batch': [(sql) => writeStatusTogether(sql, [status, status]), [keys]],
  'clear status': [(sql) => replaceStatus(sql, { ...status, value: null }), [keys]],
  'change finalizers': [
    (sql) => changeFinalizers(sql, { epoch: 1, ref: byUid, add: ['x/a'], remove: [], limit: 64 }),
    [keys],
  ],
  'lock for deletion': [
    (sql) => lockForDeletion(sql, { by: 'path', steps: [widget] }, 1),
    [names, owners, keys],
  ],
  cascade: [(sql) => cascadeFrom(sql, widgetUid), [names, owners, keys]],
  tombstone: [(sql) => tombstoneRow(sql, widgetUid, { cascadeFinalizer: true }), [keys]],
  remove: [(sql) => removeRow(sql, uidOf('3', 999)), [keys]],
  'load definitions': [(sql) => loadDefinitions(sql, 'example.dev', 'parts', 33), [plurals, identities]],
  'chain of definitions': [(sql) => definitionChain(sql, kind, 33), [identities]],
  'claims of definitions': [(sql) => claiming(sql, 'parts', kind, null), [plurals, identities]],
  'height below': [(sql) => heightBelow(sql, kind, 33), [identities, plurals]],
  'count instances': [(sql) => countInstances(sql, definitionUid, kind), [keys, 'resources_versions']],
  'collector: page of tombstones': [
    collecting((sql) => tombstones(sql, { after: null, until: null }, 100)),
    ['resources_tombstones'],
  ],
  'collector: revisions': [collecting((sql) => revisions(sql, batch)), [keys]],
  'collector: reach': [collecting((sql) => reach(sql, batch, 100)), [names, discriminators, owners]],
  'collector: climb': [collecting((sql) => climb(sql, batch, 100)), [keys]],
  'collector: lock, look and apply': [
    collecting(async (sql) => {
      await lookOutside(sql, await lockBatch(sql, batch, 'skip'));
      await applyPlan(sql, plan);
    }),
    [names, discriminators, owners, keys],
  ],
  'collector: lock patiently': [collecting((sql) => lockBatch(sql, batch, 'wait')), [keys]],
  'collector: backlog': [collecting((sql) => backlog(sql)), ['resources_tombstones']],
  'organizations exist': [(sql) => organizationsExist(sql, null), [names, 'resources_versions']],
};

/** As the collector runs its statements. */
function collecting(operate: (sql: Sql) => Promise<unknown>): (sql: Sql) => Promise<unknown> {
  return async (sql) => {
    await sql.rows(plannerSettings);
    await operate(sql);
  };
}

interface Plan {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly Plans?: readonly Plan[];
}

let prepared = 0;

/** Runs statements as the store does, and keeps what they are planned as. */
class Explaining implements Sql {
  readonly #sql: Sql;
  readonly #explain: (() => Promise<Plan>)[] = [];

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  async rows<Row extends readonly unknown[]>(text: string, parameters: readonly Parameter[] = []) {
    prepared += 1;
    const name = `explained_${prepared}`;
    const values = parameters.map((value) =>
      value === null ? 'null' : `'${String(value).replace(/'/g, "''")}'`,
    );
    const list = values.length === 0 ? '' : `(${values.join(', ')})`;
    await this.#sql.rows(`prepare ${name} as ${text}`);
    const explain = async () => {
      const [row] = await this.#sql.rows<readonly [string]>(`explain (format json) execute ${name}${list}`);
      return JSON.parse(row?.[0] ?? '')[0].Plan;
    };
    await explain();
    this.#explain.push(explain);
    return this.#sql.rows<Row>(text, parameters);
  }

  /** How the statements that were run would be run now; a prepared statement keeps the plan that it was given. */
  async plans(): Promise<readonly Plan[]> {
    const plans: Plan[] = [];
    for (const explain of this.#explain) plans.push(await explain());
    return plans;
  }
}

/** Whether rows are sorted somewhere, rather than read in their order. */
function sorts(plan: Plan): boolean {
  return plan['Node Type'].includes('Sort') || (plan.Plans ?? []).some(sorts);
}

/** The indexes that a plan uses, and its scans of the table by the name of the table. */
function accesses(plan: Plan): readonly string[] {
  const own = plan['Index Name'] ?? (plan['Node Type'] === 'Seq Scan' ? plan['Relation Name'] : undefined);
  const below = (plan.Plans ?? []).flatMap(accesses);
  return own === undefined || own.startsWith('catalog_epoch') ? below : [own, ...below];
}

const undone = new Error('undone');

/** Plans every operation, lets `between` happen, and tells which accesses are not those that the operation may make then. */
async function unexpectedAccesses(
  between: (sql: Sql) => Promise<unknown>,
): Promise<Record<string, readonly string[]>> {
  const unexpected: Record<string, readonly string[]> = {};
  const attempt = fixture.store.database.transaction(async (sql) => {
    const explained = new Map<string, Explaining>();
    for (const [name, [operate]] of Object.entries(operations)) {
      const explaining = new Explaining(sql);
      await sql.rows('savepoint operation');
      await operate(explaining);
      await sql.rows('rollback to savepoint operation');
      explained.set(name, explaining);
    }
    await between(sql);
    for (const [name, [, allowed]] of Object.entries(operations)) {
      const accessed = ((await explained.get(name)?.plans()) ?? []).flatMap(accesses);
      const others = [...new Set(accessed)].filter((access) => !allowed.includes(access));
      if (others.length > 0) unexpected[name] = others;
    }
    throw undone;
  });
  await expect(attempt).rejects.toBe(undone);
  return unexpected;
}

/** Parts below a hundred Widgets, every fifth owned by another Widget; with the first ones come the Widgets and the definition. */
async function fill(sql: Sql, from: number, to: number): Promise<void> {
  const insert =
    'insert into resources (uid, parent_uid, api_version, kind, name, discriminator, owner_references, spec)';
  const uid = (space: string, n: string) =>
    `('00000000-0000-7000-800${space}-' || lpad(to_hex(${n}), 12, '0'))::uuid`;
  if (from === 0) {
    await sql.rows(
      `${insert} values ('${definitionUid}', null, 'platform.dev/v1alpha1', 'ResourceDefinition', 'parts.example.dev', 'definiti', '[]',
        '{"group": "example.dev", "kind": "Part", "plural": "parts"}')`,
    );
    await sql.rows(
      `${insert} select ${uid('1', 'n')}, null, 'example.dev/v1', 'Widget', 'w' || n, 'w' || lpad(n::text, 7, '0'), '[]', '{}'
       from generate_series(0, 99) n`,
    );
  }
  await sql.rows(
    `${insert} select ${uid('2', 'n')}, ${uid('1', 'n % 100')}, 'example.dev/v1', 'Part', 'p' || n, 'p' || lpad(n::text, 7, '0'),
       case n % 5 when 0 then jsonb_build_array(jsonb_build_object('apiVersion', 'example.dev/v1', 'kind', 'Widget',
         'name', 'w' || (n / 5 % 100), 'uid', ${uid('1', 'n / 5 % 100')}, 'blockOwnerDeletion', n % 2 = 0)) else '[]' end,
       json_build_object('text', repeat('x', 200))
     from generate_series($1::int, $2::int) n`,
    [from, to],
  );
}

function uidOf(space: string, n: number): string {
  return `00000000-0000-7000-800${space}-${n.toString(16).padStart(12, '0')}`;
}

beforeAll(async () => {
  await fixture.database.sql`alter table resources set (autovacuum_enabled = off)`;
});

describe('no statement scans the table or leaves its index', () => {
  it('when it was planned while the table was small, and the table has grown', async () => {
    await fill(fixture.store.database, 0, 50);
    await fixture.database.sql`analyze resources`;
    expect(await unexpectedAccesses((sql) => fill(sql, 51, 50_000))).toEqual({});
  }, 120_000);

  it('when the table is large', async () => {
    await fill(fixture.store.database, 51, 50_000);
    await fixture.database.sql`analyze resources`;
    expect(await unexpectedAccesses(async () => {})).toEqual({});
  }, 120_000);

  it.each(['list', 'list, a large page', 'pending deletion', 'pending deletion, many'])(
    'and %s is read in the order of its index',
    async (name) => {
      const plans = await fixture.store.database.transaction(async (sql) => {
        const inside = new Explaining(sql);
        await operations[name]?.[0](inside);
        return inside.plans();
      });
      expect(plans.map(sorts)).toEqual([false]);
    },
  );

  it('when most of the table has been tombstoned since it was analyzed', async () => {
    await fixture.database.sql`
      update resources set deletion_timestamp = now() where kind = 'Part' and name not like 'p7%'`;
    expect(await unexpectedAccesses(async () => {})).toEqual({});
  }, 120_000);

  it('when that has been noticed', async () => {
    await fixture.database.sql`analyze resources`;
    expect(await unexpectedAccesses(async () => {})).toEqual({});
  }, 120_000);
});
