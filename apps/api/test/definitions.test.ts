import { type Json, onEveryStore } from './api.ts';
import { definition, definitions, given, group, register, resource, sentBack, v1 } from './kinds.ts';

onEveryStore((api) => {
  const platform = 'platform.dev/v1alpha1';
  let made = 0;

  /** A kind that no test has used yet. */
  function fresh(): string {
    made += 1;
    return `Kind${made}`;
  }

  async function refused(body: Json, status = 400): Promise<Json> {
    return (await api.post(definitions, body).expect(status)).body;
  }

  /** A definition whose spec differs from a good one; the name follows plural and group. */
  function with_(changes: Json): Json {
    const base = definition(fresh());
    const spec = { ...base.spec, ...changes };
    return { ...base, metadata: { name: `${spec.plural}.${spec.group}` }, spec };
  }

  const edit = async (kind: string, changes: Json) => {
    const path = `${definitions}/${kind.toLowerCase()}s.${group}`;
    const { body } = await api.get(path).expect(200);
    return await api.put(path, sentBack(body, { spec: { ...body.spec, ...changes } }));
  };

  describe('a definition', () => {
    it('opens its collection with the answer', async () => {
      const kind = fresh();
      await api.get(`${v1}/${kind.toLowerCase()}s`).expect(404);
      await register(api, kind);
      await api.get(`${v1}/${kind.toLowerCase()}s`).expect(200);
    });

    it('is refused in the subdomains of the reserved group no more than elsewhere', async () => {
      await api.post(definitions, with_({ group: 'sub.platform.dev' })).expect(201);
    });

    it.each([
      ['the reserved group', { group: 'platform.dev' }],
      ['a reserved plural', { plural: 'projects' }],
      ['a built-in plural', { plural: 'organizations' }],
      ['a reserved plural that no built-in kind uses', { plural: 'serviceaccounttrustpolicies' }],
      ['a group that is no DNS subdomain', { group: 'Farm' }],
      ['a plural that is no DNS label', { plural: 'a.b' }],
      ['a kind in lower case', { kind: 'farm' }],
      ['a kind with a hyphen', { kind: 'Far-m' }],
      ['no versions', { versions: [] }],
      ['no storage version', { versions: [{ name: 'v1', served: true, storage: false }] }],
      [
        'two storage versions',
        { versions: ['v1', 'v2'].map((name) => ({ name, served: true, storage: true })) },
      ],
      ['no served version', { versions: [{ name: 'v1', served: false, storage: true }] }],
      [
        'a version twice',
        {
          versions: [
            { name: 'v1', served: true, storage: true },
            { name: 'v1', served: true, storage: false },
          ],
        },
      ],
      ['a version in upper case', { versions: [{ name: 'V1', served: true, storage: true }] }],
      ['a version without served', { versions: [{ name: 'v1', storage: true }] }],
      ['an unknown field', { scope: 'Cluster' }],
      ['an unknown field of a version', { versions: [{ name: 'v1', served: true, storage: true, x: 1 }] }],
      [
        'a bad schema',
        { versions: [{ name: 'v1', served: true, storage: true, schema: { type: 'nonsense' } }] },
      ],
      [
        'a schema that is no schema',
        { versions: [{ name: 'v1', served: true, storage: true, schema: 'x' }] },
      ],
      ['a missing parent definition', { parent: { apiVersion: v1, kind: 'Nothing' } }],
      ['a parent without version', { parent: { apiVersion: group, kind: 'Farm' } }],
      ['an allowlist that is no list', { allowedStatusControllerIds: 'x' }],
    ])('is 400 with %s', async (_name, changes) => {
      const { errors } = await refused(with_(changes));
      expect(errors[0].path).toMatch(/^\/(spec|metadata)/);
    });

    it('is 400 when its name is not <plural>.<group>', async () => {
      const body = definition(fresh());
      await refused({ ...body, metadata: { name: `other.${group}` } });
    });

    it('is 400 with a version that its parent does not declare', async () => {
      const parent = fresh();
      await register(api, parent);
      await refused(definition(fresh(), { parent: { apiVersion: `${group}/v9`, kind: parent } }));
      await refused(definition(fresh(), { parent: { apiVersion: 'platform.dev/v9', kind: 'Organization' } }));
    });

    it('is 400 when it is its own parent', async () => {
      const kind = fresh();
      await refused(definition(kind, { parent: { apiVersion: v1, kind } }));
    });

    it('names every fault: of its form, of what it claims, of its parent and of its schemas', async () => {
      const schema = { type: 'nonsense' };
      const { errors } = await refused({
        ...with_({
          plural: 'teams',
          parent: { apiVersion: 'nothing.example/v1', kind: 'Nothing' },
          scope: 'Cluster',
          versions: [{ name: 'v1', served: true, storage: false, schema }],
        }),
        metadata: { name: 'other.example', label: {} },
      });
      expect(errors.map(({ path }: Json) => path).sort()).toEqual([
        '/metadata/label',
        '/metadata/name',
        '/spec/parent',
        '/spec/plural',
        '/spec/scope',
        '/spec/versions',
        '/spec/versions/0/schema/type',
      ]);
    });

    it('names the place of a bad schema', async () => {
      const { errors } = await refused(
        with_({ versions: [{ name: 'v1', served: true, storage: true, schema: { type: 'nonsense' } }] }),
      );
      expect(errors[0].path).toBe('/spec/versions/0/schema/type');
    });

    it('is 409 when another has the name, or claims the plural or the group and kind', async () => {
      const kind = fresh();
      await register(api, kind);
      const plural = `${kind.toLowerCase()}s`;
      expect((await refused(with_({ group: 'other.example', plural }), 409)).code).toBe(
        'definition_conflict',
      );
      expect((await refused(with_({ kind }), 409)).code).toBe('definition_conflict');
      expect(await refused(definition(kind), 409)).toMatchObject({
        code: 'already_exists',
        detail: `A definition named ${plural}.${group} exists already.`,
      });
    });

    it('may use the kind of another group', async () => {
      const kind = fresh();
      await register(api, kind);
      await api.post(definitions, with_({ group: 'other.example', kind })).expect(201);
    });

    it('may have a built-in kind as parent', async () => {
      const kind = fresh();
      await register(api, kind, { parent: { apiVersion: platform, kind: 'Organization' } });
      await api.get(`${v1}/${kind.toLowerCase()}s/missing`).expect(404);
      await api.get(`${v1}/${kind.toLowerCase()}s`).expect(400);
    });

    it('nests 32 deep and not one deeper', async () => {
      let parent = fresh();
      await register(api, parent);
      for (let depth = 1; depth <= 32; depth += 1) {
        const kind = fresh();
        await register(api, kind, { parent: { apiVersion: v1, kind: parent } });
        parent = kind;
      }
      await refused(definition(fresh(), { parent: { apiVersion: v1, kind: parent } }));
    });
  });

  describe('an edit of a definition', () => {
    it.each([
      ['kind', { kind: 'Renamed' }],
      ['parent', { parent: { apiVersion: platform, kind: 'Organization' } }],
    ])('is 409 for %s once a resource is stored', async (field, changes) => {
      const kind = fresh();
      await register(api, kind);
      await given(api, kind, ['one']);
      const answer = await edit(kind, changes);
      expect([answer.status, answer.body.code]).toEqual([409, 'definition_immutable']);
      expect(answer.body.errors).toEqual([
        { path: `/spec/${field}`, message: 'cannot change while resources of the kind are stored' },
      ]);
    });

    it('names every fault: of its form and of what it claims', async () => {
      const kind = fresh();
      await register(api, kind);
      const { status, body } = await edit(kind, { group: 'platform.dev', plural: 'teams', versions: [] });
      expect(status).toBe(400);
      expect(body.errors.map(({ path }: Json) => path).sort()).toEqual([
        '/metadata/name',
        '/spec/group',
        '/spec/plural',
        '/spec/versions',
      ]);
    });

    it('names a parent that does not exist with the other faults', async () => {
      const [upper, kind] = [fresh(), fresh()];
      await register(api, upper);
      await register(api, kind);
      const versions = [{ name: 'v1', served: true, storage: false }];
      for (const parent of [
        { apiVersion: 'nothing.example/v1', kind: 'Nothing' },
        { apiVersion: `${group}/v9`, kind: upper },
      ]) {
        const { status, body } = await edit(kind, { parent, versions });
        expect(status).toBe(400);
        expect(body.errors.map(({ path }: Json) => path)).toEqual(['/spec/versions', '/spec/parent']);
      }
    });

    it('names a parent that does not exist with the faults of its metadata', async () => {
      const spec = with_({ parent: { apiVersion: 'nothing.example/v1', kind: 'Nothing' } });
      const { errors } = await refused({ ...spec, metadata: { ...spec.metadata, label: {} } });
      expect(errors.map(({ path }: Json) => path)).toEqual(['/metadata/label', '/spec/parent']);
    });

    it('may change the parent while there is none', async () => {
      const kind = fresh();
      await register(api, kind);
      expect((await edit(kind, { parent: { apiVersion: platform, kind: 'Organization' } })).status).toBe(200);
      await api.get(`${v1}/${kind.toLowerCase()}s`).expect(400);
    });

    it('keeps a version that its parent has lost, and is 400 with another that it does not declare', async () => {
      const [upper, lower] = [fresh(), fresh()];
      await register(api, upper);
      await register(api, lower, { parent: { apiVersion: v1, kind: upper } });
      await edit(upper, { versions: [{ name: 'v2', served: true, storage: true }] });
      const named = (apiVersion: string) => edit(lower, { parent: { apiVersion, kind: upper } });
      expect((await named(v1)).status).toBe(200);
      expect((await named(`${group}/v3`)).status).toBe(400);
      expect((await named(`${group}/v2`)).status).toBe(200);
    });

    it('is 400 when it would make the parents a circle', async () => {
      const [upper, lower] = [fresh(), fresh()];
      await register(api, upper);
      await register(api, lower, { parent: { apiVersion: v1, kind: upper } });
      expect((await edit(upper, { parent: { apiVersion: v1, kind: lower } })).status).toBe(400);
    });

    it('holds for the next request: allowlist, schema and versions', async () => {
      const kind = fresh();
      const path = `${v1}/${kind.toLowerCase()}s`;
      await register(api, kind);
      await given(api, kind, ['one']);
      await api.put(`${path}/one/status`, { status: 1 }, 'controller').expect(403);
      await edit(kind, { allowedStatusControllerIds: ['ctrl.example.dev'] });
      await api.put(`${path}/one/status`, { status: 1 }, 'controller').expect(200);
      await edit(kind, { allowedStatusControllerIds: [] });
      await api.put(`${path}/one/status`, { status: 1 }, 'controller').expect(403);

      const schema = { type: 'object', required: ['size'] };
      await edit(kind, { versions: [{ name: 'v1', served: true, storage: true, schema }] });
      expect((await api.post(path, resource(kind, 'two')).expect(400)).body.code).toBe('schema_violation');
      const [v1Old, v2] = [
        { name: 'v1', served: false, storage: false },
        { name: 'v2', served: true, storage: true },
      ];
      await edit(kind, { versions: [v1Old, v2] });
      await api.get(`${path}/one`).expect(404);
      await api.get(`${group}/v2/${kind.toLowerCase()}s/one`).expect(200);
    });

    it('is 409 when it removes a version that has rows, and says how many', async () => {
      const kind = fresh();
      await register(api, kind);
      for (const name of ['a', 'b', 'c']) await given(api, kind, [name]);
      const { status, body } = await edit(kind, { versions: [{ name: 'v2', served: true, storage: true }] });
      expect([status, body.code]).toEqual([409, 'version_in_use']);
      expect(body.detail).toContain('3');
    });
  });

  describe('DELETE of a definition', () => {
    it('is 200 while nothing uses it, and closes the collection', async () => {
      const kind = fresh();
      await register(api, kind);
      await api.delete(`${definitions}/${kind.toLowerCase()}s.${group}`).expect(200);
      await api.get(`${v1}/${kind.toLowerCase()}s`).expect(404);
    });

    it('is 409 while a resource exists, also a tombstoned one', async () => {
      const kind = fresh();
      const at = `${definitions}/${kind.toLowerCase()}s.${group}`;
      await register(api, kind);
      await given(api, kind, ['one'], { metadata: { finalizers: ['a/b'] } });
      expect((await api.delete(at).expect(409)).body.code).toBe('definition_in_use');
      await api.delete(`${v1}/${kind.toLowerCase()}s/one`).expect(202);
      await api.delete(at).expect(409);
    });

    it('is 409 while another definition names it as parent', async () => {
      const [upper, lower] = [fresh(), fresh()];
      await register(api, upper);
      await register(api, lower, { parent: { apiVersion: v1, kind: upper } });
      await api.delete(`${definitions}/${upper.toLowerCase()}s.${group}`).expect(409);
    });

    it('is 202 with a finalizer; a tombstoned definition takes no new instances: 409', async () => {
      const kind = fresh();
      const at = `${definitions}/${kind.toLowerCase()}s.${group}`;
      await register(api, kind);
      await api.put(`${at}/finalizers`, { add: ['a/b'] }).expect(200);
      await api.delete(at).expect(202);
      const answer = await api.post(`${v1}/${kind.toLowerCase()}s`, resource(kind, 'late')).expect(409);
      expect(answer.body.code).toBe('definition_terminating');
      await api.get(`${v1}/${kind.toLowerCase()}s`).expect(200);
    });
  });
});
