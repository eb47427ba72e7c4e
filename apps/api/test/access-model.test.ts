import fc from 'fast-check';
import {
  type Bound,
  bounds,
  type Expected,
  type ModelRow,
  Reference,
  type StoredBound,
  type Use,
} from './access-reference.ts';
import {
  allowed,
  below,
  collectionOf,
  isWrite,
  kindOf,
  pathOf,
  pluralOf,
  type Surface,
  sendTo,
  shownIn,
  surfacesOf,
  uses,
} from './access-surfaces.ts';
import { type Json, TestApi } from './api.ts';
import { ownerOf, register, resource, v1 } from './kinds.ts';
import { memoryStore, postgresStore, type StoreOpener } from './stores.ts';

const platform = 'platform.dev/v1alpha1';

/** The tree before anything of it is removed. */
const tree = [['hill'], ['dale'], ['hill', 'north'], ['hill', 'south'], ['dale', 'north']] as const;
const leaves = ['hill/north', 'hill/south', 'dale/north'];

/** The answer that a surface must give. */
function expectedOf({ tellsRows, emptyBelowNothing }: Surface, reference: Reference, use: Use): Expected {
  const expected = reference.expected(use);
  if (emptyBelowNothing && use.verb === 'list' && expected.status === 404) return allowed(true);
  return tellsRows && !isWrite(use) ? expected : allowed(expected.status !== 403);
}

/** May create farms everywhere, and patch no farm: a server-side apply of a new one needs both verbs there. */
const patchesElsewhere: readonly Bound[] = (
  [
    ['create', []],
    ['*', ['hill', 'north']],
  ] as const
).map(([verb, place]) => ({
  rule: { apiGroups: ['*'], resources: ['farms'], verbs: [verb] },
  subject: { kind: 'User', name: 'dev@example.dev' },
  place,
}));

const told = (use: Use, answer: Expected | undefined) =>
  `${use.verb} ${pathOf(use)}: ${answer?.status} ${answer?.shown.join(' ')}`;

function model(storeOf: () => StoreOpener): void {
  let opener: StoreOpener = memoryStore;
  const api = new TestApi({ store: (clock) => opener(clock), watch: { perProcess: 500, perCaller: 500 } });
  afterAll(() => api.stop());
  opener = storeOf();
  const rows = new Map<string, ModelRow & { readonly stored: Json }>();
  const surfaces = surfacesOf(api);

  async function create(names: readonly string[]): Promise<void> {
    const { body } = await api
      .post(collectionOf(names), resource(kindOf(names), names.at(-1) ?? ''))
      .expect(201);
    rows.set(names.join('/'), { plural: pluralOf(names), names, uid: body.metadata.uid, stored: body });
  }

  async function remove(path: string): Promise<void> {
    const names = path.split('/');
    await api.delete([`${v1}/${pluralOf(names)}`, ...names].join('/')).expect(200);
    rows.delete(path);
  }

  /** Makes the tree whole again, with new rows where some are missing. */
  async function restoreTree(): Promise<void> {
    for (const names of tree) if (!rows.has(names.join('/'))) await create(names);
  }

  /** Writes the bindings, each with a role of its own, in place of those of the run before. */
  async function replaceBindings(bound: readonly Bound[]): Promise<readonly StoredBound[]> {
    for (const plural of ['rolebindings', 'roles']) {
      const { body } = await api.get(`${platform}/${plural}`).expect(200);
      for (const { metadata } of body.items)
        await api.delete(`${platform}/${plural}/${metadata.name}`).expect(200);
    }
    for (const [at, { rule, subject, place }] of bound.entries()) {
      const metadata = { name: `r${at}` };
      const role = { apiVersion: platform, kind: 'Role', metadata, spec: { rules: [rule] } };
      await api.post(`${platform}/roles`, role).expect(201);
      const row = rows.get(place.join('/'));
      const scope = row === undefined ? {} : { scope: ownerOf(row.stored) };
      const spec = { roleRef: metadata, subjects: [subject], ...scope };
      await api
        .post(`${platform}/rolebindings`, { apiVersion: platform, kind: 'RoleBinding', metadata, spec })
        .expect(201);
    }
    return bound.map((one) => ({ ...one, scope: rows.get(one.place.join('/'))?.uid ?? null }));
  }

  beforeAll(async () => {
    await api.start();
    await register(api, 'Farm');
    await register(api, 'Field', { parent: { apiVersion: v1, kind: 'Farm' } });
  });

  it('grants exactly what roles and bindings say, on every surface, also after resources were removed', async () => {
    const removals = fc.subarray([...leaves, 'dale']);
    await fc.assert(
      fc.asyncProperty(bounds, removals, fc.boolean(), async (bound, gone, again) => {
        await restoreTree();
        const stored = await replaceBindings(bound);
        for (const path of gone) if (path !== 'dale' || gone.includes('dale/north')) await remove(path);
        // Rows with the names of those that were removed: no binding covers them.
        if (again) await restoreTree();
        const reference = new Reference([...rows.values()], stored);
        for (const [name, surface] of Object.entries(surfaces)) {
          const asked = uses.filter(surface.covers);
          const answers = await Promise.all(asked.map(surface.ask));
          expect([name, asked.map((use, at) => told(use, answers[at]))]).toEqual([
            name,
            asked.map((use) => told(use, expectedOf(surface, reference, use))),
          ]);
        }
        await expectConsole(reference);
      }),
      { numRuns: 15, examples: [[patchesElsewhere, [], false]] },
    );
  }, 240_000);

  /** Endpoints that the console asks, and that name no resource. */
  async function expectConsole(reference: Reference): Promise<void> {
    for (const [plural, kind] of [
      ['farms', 'Farm'],
      ['fields', 'Field'],
    ] as const) {
      for (const name of ['hill', 'north']) {
        const { status, body } = await sendTo(api, `/api/v1/search?q=${name}&kind=${kind}`, ['GET']);
        const expected = reference.isNamed ? [200, reference.found(plural, name)] : [403, []];
        expect([status, status === 200 ? shownIn(body) : []]).toEqual(expected);
      }
    }
    const kinds = await sendTo(api, below, ['GET']);
    expect(kinds.status).toBe(reference.isNamed ? 200 : 403);
    for (const path of ['/api/v1/changes?watch=true', '/api/v1/access/subjects', `${below}/pending-deletion`])
      expect([path, (await sendTo(api, path, ['GET'])).status]).toEqual([path, 403]);
  }
}

describe('over the memory store', () => model(() => memoryStore));
describe('over PostgreSQL', () => model(() => postgresStore({ ticks: true })));
