import { type Json, onEveryStore } from './api.ts';
import {
  definition,
  definitions,
  given,
  organizations,
  ownerOf,
  register,
  resource,
  sentBack,
  v1,
} from './kinds.ts';

onEveryStore((api) => {
  const barns = `${v1}/barns`;
  let owner: Json;
  let made = 0;

  beforeAll(async () => {
    await register(api, 'Farm', {
      versions: [
        { name: 'v1', served: true, storage: true },
        { name: 'v2', served: true, storage: false },
      ],
    });
    await register(api, 'Barn');
    await register(api, 'Field', { parent: { apiVersion: v1, kind: 'Farm' } });
  });

  beforeEach(async () => {
    made += 1;
    owner = await given(api, 'Farm', [`o${made}`]);
  });

  const owned = (...ownerReferences: Json[]): Json =>
    resource('Barn', `b${made}`, { metadata: { ownerReferences } });

  async function refused(...ownerReferences: Json[]): Promise<Json> {
    return (await api.post(barns, owned(...ownerReferences)).expect(400)).body;
  }

  describe('an owner reference', () => {
    it('is kept as given, blockOwnerDeletion defaulting to false, the UID in lower case', async () => {
      const upper = ownerOf(owner, { uid: owner.metadata.uid.toUpperCase() });
      const { body } = await api.post(barns, owned(upper)).expect(201);
      expect(body.metadata.ownerReferences).toEqual([ownerOf(owner, { blockOwnerDeletion: false })]);
    });

    it('matches the owner by group and kind, so another version of the group is fine', async () => {
      await api.post(barns, owned(ownerOf(owner, { apiVersion: 'farm.example/v2' }))).expect(201);
    });

    it('may name several owners', async () => {
      const other = await given(api, 'Farm', [`p${made}`]);
      const { body } = await api.post(
        barns,
        owned(ownerOf(owner), ownerOf(other, { blockOwnerDeletion: true })),
      );
      expect(body.metadata.ownerReferences.map(({ blockOwnerDeletion }: Json) => blockOwnerDeletion)).toEqual(
        [false, true],
      );
    });

    it('may name an Organization or a definition as owner', async () => {
      const { body } = await api.get(`${definitions}/barns.farm.example`);
      await api.post(barns, owned(ownerOf(body))).expect(201);
    });

    it.each([
      ['an unknown UID', { uid: 'ffffffff-ffff-4fff-8fff-ffffffffffff' }],
      ['another name', { name: 'other' }],
      ['another kind', { kind: 'Barn' }],
      ['another group', { apiVersion: 'other.example/v1' }],
    ])('is 400 with %s', async (_name, changes) => {
      const { code, errors } = await refused(ownerOf(owner, changes));
      expect(code).toBe('owner_reference_invalid');
      expect(errors[0].path).toContain('/metadata/ownerReferences/0');
    });

    it.each([
      ['the all-zero UID', { uid: '00000000-0000-0000-0000-000000000000' }],
      ['no UUID', { uid: 'x' }],
      ['an unknown field', { controller: true }],
      ['no version', { apiVersion: 'farm.example' }],
      ['an upper-case version', { apiVersion: 'farm.example/V1' }],
      ['a lower-case kind', { kind: 'farm' }],
      ['a name that is no DNS subdomain', { name: 'A b' }],
      ['blockOwnerDeletion that is no boolean', { blockOwnerDeletion: 'yes' }],
    ])('is 400 in itself with %s', async (_name, changes) => {
      const { errors } = await refused(ownerOf(owner, changes));
      expect(errors[0].path).toMatch(/^\/metadata\/ownerReferences\/0/);
    });

    it.each(['apiVersion', 'kind', 'name', 'uid'])('is 400 without %s', async (field) => {
      await refused(ownerOf(owner, { [field]: undefined }));
    });

    it('is 400 when a UID stands twice, also in another case', async () => {
      await refused(ownerOf(owner), ownerOf(owner, { uid: owner.metadata.uid.toUpperCase() }));
    });

    it('is 400 when its owner is tombstoned', async () => {
      await api.put(`${v1}/farms/o${made}/finalizers`, { add: ['a/b'] }).expect(200);
      await api.delete(`${v1}/farms/o${made}`).expect(202);
      expect((await refused(ownerOf(owner))).code).toBe('owner_reference_invalid');
    });

    it('names each bad one', async () => {
      const { errors } = await refused(
        ownerOf(owner, { name: 'x' }),
        ownerOf(owner, { uid: 'ffffffff-ffff-4fff-8fff-ffffffffffff' }),
      );
      expect(errors.map(({ path }: Json) => path.split('/')[3])).toEqual(['0', '1']);
    });
  });

  describe('a body with faults', () => {
    const missing = { uid: 'ffffffff-ffff-4fff-8fff-ffffffffffff' };
    const pathsOf = ({ errors }: Json): readonly string[] => errors.map(({ path }: Json) => path);

    beforeAll(async () => {
      const schema = { properties: { size: { type: 'integer' } } };
      await register(api, 'Coop', { versions: [{ name: 'v1', served: true, storage: true, schema }] });
    });

    const coop = (metadata: Json, spec: Json = {}) => ({
      ...resource('Coop', `c${made}`, { metadata }),
      spec,
    });

    it('also tells of its missing owners', async () => {
      const ownerReferences = [ownerOf(owner), ownerOf(owner, missing)];
      const sent = coop({ labels: { '-': '' }, ownerReferences }, { size: 'x' });
      const { body } = await api.post(`${v1}/coops`, sent).expect(400);
      expect(pathsOf(body)).toEqual(['/metadata/labels/-', '/spec/size', '/metadata/ownerReferences/1/uid']);
      const bySchema = await api.post(`${v1}/coops`, coop({ ownerReferences }, { size: 'x' })).expect(400);
      expect(bySchema.body.code).toBe('schema_violation');
      expect(pathsOf(bySchema.body)).toEqual(['/spec/size', '/metadata/ownerReferences/1/uid']);
    });

    it('tells the faults of each owner, also when another one is malformed', async () => {
      const malformed = { ...ownerOf(owner), uid: 'x' };
      const ownerReferences = [
        malformed,
        ownerOf(owner),
        ownerOf(owner, missing),
        { ...ownerOf(owner), controller: true },
        null,
      ];
      const { body } = await api.post(`${v1}/coops`, coop({ ownerReferences })).expect(400);
      const at = '/metadata/ownerReferences';
      expect(pathsOf(body)).toEqual([
        `${at}/0/uid`,
        `${at}/3/controller`,
        `${at}/4`,
        `${at}/3/uid`,
        `${at}/2/uid`,
      ]);
    });

    it('also tells of those that are being deleted, but not of those that are stored', async () => {
      await api.put(`${v1}/farms/o${made}/finalizers`, { add: ['a/b'] }).expect(200);
      const { body: stored } = await api.post(`${v1}/coops`, coop({ ownerReferences: [ownerOf(owner)] }));
      await api.delete(`${v1}/farms/o${made}`).expect(202);
      const { body: read } = await api.get(`${v1}/coops/c${made}`);
      expect(read.metadata.uid).toBe(stored.metadata.uid);
      const unchanged = await api.put(`${v1}/coops/c${made}`, sentBack(read, { spec: { size: 'x' } }));
      expect(pathsOf(unchanged.body)).toEqual(['/spec/size']);
      const ownerReferences = [ownerOf(owner, { blockOwnerDeletion: true })];
      const changed = await api.put(
        `${v1}/coops/c${made}`,
        sentBack(read, { metadata: { ownerReferences }, spec: { size: 'x' } }),
      );
      expect(pathsOf(changed.body)).toEqual(['/spec/size', '/metadata/ownerReferences/0/uid']);
    });
  });

  describe('a PUT of owner references', () => {
    it('replaces the whole set; omitted means empty', async () => {
      const { body: stored } = await api.post(barns, owned(ownerOf(owner))).expect(201);
      const bare = sentBack(stored, { metadata: { ownerReferences: undefined } });
      const { body } = await api.put(`${barns}/b${made}`, bare).expect(200);
      expect(body.metadata.ownerReferences).toEqual([]);
    });

    it('does not check again what is stored and sent back unchanged', async () => {
      await api.put(`${v1}/farms/o${made}/finalizers`, { add: ['a/b'] });
      const { body: stored } = await api.post(barns, owned(ownerOf(owner))).expect(201);
      await api.delete(`${v1}/farms/o${made}`).expect(202);
      const { body: read } = await api.get(`${barns}/b${made}`);
      expect(read.metadata.uid).toBe(stored.metadata.uid);
      await api.put(`${barns}/b${made}`, sentBack(read, { spec: { changed: true } })).expect(200);
    });

    it('is 400 for a cycle of owners, also a short one', async () => {
      const { body: barn } = await api.post(barns, owned(ownerOf(owner))).expect(201);
      const cycle = await api.put(
        `${v1}/farms/o${made}`,
        sentBack(owner, { metadata: { ownerReferences: [ownerOf(barn)] } }),
      );
      expect([cycle.status, cycle.body.code]).toEqual([400, 'owner_reference_cycle']);
      const self = await api.put(
        `${v1}/farms/o${made}`,
        sentBack(owner, { metadata: { ownerReferences: [ownerOf(owner)] } }),
      );
      expect([self.status, self.body.code]).toEqual([400, 'owner_reference_cycle']);
    });

    it('is 400 for a cycle over parent and owner edges', async () => {
      const field = await given(api, 'Field', [`o${made}`, 'south']);
      const answer = await api.put(
        `${v1}/farms/o${made}`,
        sentBack(owner, { metadata: { ownerReferences: [ownerOf(field)] } }),
      );
      expect([answer.status, answer.body.code]).toEqual([400, 'owner_reference_cycle']);
    });
  });

  describe('a built-in kind', () => {
    it('cannot be the dependent', async () => {
      const ownerReferences = [ownerOf(owner)];
      const organization = {
        apiVersion: 'platform.dev/v1alpha1',
        kind: 'Organization',
        metadata: { name: 'a', ownerReferences },
      };
      const { body } = await api.post(organizations, organization).expect(400);
      expect(body.errors[0].path).toBe('/metadata/ownerReferences');
      const shed = definition('Shed');
      await api.post(definitions, { ...shed, metadata: { ...shed.metadata, ownerReferences } }).expect(400);
    });

    it('may say that it has none', async () => {
      const organization = {
        apiVersion: 'platform.dev/v1alpha1',
        kind: 'Organization',
        metadata: { name: 'b', ownerReferences: [] },
      };
      await api.post(organizations, organization).expect(201);
    });

    it('lets a custom kind of the same name be owned', async () => {
      const custom = definition('Organization');
      const renamed = {
        ...custom,
        metadata: { name: 'orgs.farm.example' },
        spec: { ...custom.spec, plural: 'orgs' },
      };
      await api.post(definitions, renamed).expect(201);
      await api
        .post(
          `${v1}/orgs`,
          resource('Organization', 'x', { metadata: { ownerReferences: [ownerOf(owner)] } }),
        )
        .expect(201);
    });
  });
});
