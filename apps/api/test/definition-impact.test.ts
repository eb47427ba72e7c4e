import { onEveryStore } from './api.ts';
import { definitions, given, register, sentBack, v1 } from './kinds.ts';

onEveryStore((api) => {
  const version = (name: string, storage: boolean, schema?: object) => ({
    name,
    served: true,
    storage,
    ...(schema === undefined ? {} : { schema }),
  });
  const sized = { type: 'object', required: ['size'] };

  it('a dry run of a changed definition counts the stored resources that it would refuse', async () => {
    const stored = await register(api, 'Shed');
    const good = await given(api, 'Shed', ['good'], { spec: { size: 1 } });
    const bad = await given(api, 'Shed', ['bad'], { metadata: { finalizers: ['x/y'] } });
    await api.delete(`${v1}/sheds/bad`).expect(202);
    const changed = sentBack(stored);
    const path = `${definitions}/${stored.metadata.name}`;
    const versions = [version('v1', false, sized), version('v2', true)];
    const { body } = await api
      .put(`${path}?dryRun=true`, { ...changed, spec: { ...stored.spec, versions } })
      .expect(200);
    const { apiVersion, kind, metadata } = bad;
    const identity = { apiVersion, kind, name: 'bad', uid: metadata.uid, parentUid: null };
    expect(body.impact).toEqual({
      v1: {
        rows: 2,
        invalid: 1,
        samples: [
          { identity, ...identity, errors: [{ path: expect.any(String), message: expect.any(String) }] },
        ],
      },
      v2: { rows: 0, invalid: 0, samples: [] },
    });
    expect(body.complete).toBe(true);
    expect((await api.get(path)).body).toEqual(stored);
    expect((await api.get(`${v1}/sheds/good`)).body).toEqual(good);
  });

  // Attack: somebody who may change a definition asks with one schema after the other which values the resources of others have.
  it('counts only the resources that the caller may get', async () => {
    const stored = await register(api, 'Barn');
    for (const name of ['shown', 'hidden']) await given(api, 'Barn', [name], { spec: { color: 'red' } });
    const platform = 'platform.dev/v1alpha1';
    const rules = [
      { apiGroups: ['platform.dev'], resources: ['resourcedefinitions'], verbs: ['get', 'update'] },
      { apiGroups: ['*'], resources: ['barns'], resourceNames: ['shown'], verbs: ['get'] },
    ];
    const role = { apiVersion: platform, kind: 'Role', metadata: { name: 'definer' }, spec: { rules } };
    await api.post(`${platform}/roles`, role).expect(201);
    const spec = { roleRef: { name: 'definer' }, subjects: [{ kind: 'User', name: 'dev@example.dev' }] };
    const binding = { apiVersion: platform, kind: 'RoleBinding', metadata: { name: 'definer' }, spec };
    await api.post(`${platform}/rolebindings`, binding).expect(201);

    const versions = [version('v1', true, { properties: { color: { not: { const: 'red' } } } })];
    const changed = { ...sentBack(stored), spec: { ...stored.spec, versions } };
    const path = `${definitions}/${stored.metadata.name}?dryRun=true`;
    const { body } = await api.put(path, changed, 'user').expect(200);
    expect(body.impact.v1).toMatchObject({ rows: 1, invalid: 1, samples: [{ name: 'shown' }] });
    expect(body.complete).toBe(false);
  });

  it('neither a real change nor a dry run of something else has an impact', async () => {
    const stored = await register(api, 'Hut');
    const path = `${definitions}/${stored.metadata.name}`;
    const { body } = await api.put(path, sentBack(stored)).expect(200);
    expect(body).not.toHaveProperty('impact');
    const hut = await given(api, 'Hut', ['one']);
    const { body: dry } = await api.put(`${v1}/huts/one?dryRun=true`, sentBack(hut)).expect(200);
    expect(dry).not.toHaveProperty('impact');
  });
});
