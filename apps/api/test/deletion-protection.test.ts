import { onEveryStore } from './api.ts';
import { given, ownerOf, register, registerTree, v1 } from './kinds.ts';

const key = 'platform.dev/deletion-protection';

onEveryStore((api) => {
  let made = 0;
  let name: string;
  let farm: string;

  beforeAll(async () => {
    await registerTree(api);
    await register(api, 'Barn');
  });

  beforeEach(async () => {
    made += 1;
    name = `p${made}`;
    farm = `${v1}/farms/${name}`;
    await given(api, 'Farm', [name]);
  });

  const guarded = { metadata: { annotations: { [key]: 'true' } } };

  it('refuses to delete a protected resource, and names it', async () => {
    const barn = await given(api, 'Barn', [name], guarded);
    const { body } = await api.delete(`${v1}/barns/${name}`).expect(409);
    const { apiVersion, kind, metadata } = barn;
    const identity = { apiVersion, kind, name, uid: metadata.uid, parentUid: null };
    expect(body).toMatchObject({ code: 'deletion_protected', protected: [identity] });
    expect((await api.get(`${v1}/barns/${name}`).expect(200)).body).toEqual(barn);
  });

  it('refuses to delete what would cascade to it, over owners and parents', async () => {
    const { body: owner } = await api.get(farm);
    const field = await given(api, 'Field', [name, 'south'], { metadata: { ownerReferences: [] } });
    const barn = await given(api, 'Barn', [name], { metadata: { ownerReferences: [ownerOf(field)] } });
    const silo = await given(api, 'Barn', [`${name}-silo`], {
      metadata: { ...guarded.metadata, ownerReferences: [ownerOf(barn)] },
    });
    for (const path of [farm, `${v1}/fields/${name}/south`, `${v1}/barns/${name}`]) {
      const { body } = await api.delete(path).expect(409);
      expect(body.protected.map(({ uid }: { uid: string }) => uid)).toEqual([silo.metadata.uid]);
    }
    expect((await api.get(farm)).body).toEqual(owner);
  });

  it('deletes once the annotation is gone, or has another value', async () => {
    const barn = await given(api, 'Barn', [name], guarded);
    const { status: _, ...rest } = barn;
    const changed = { ...rest, metadata: { ...barn.metadata, annotations: { [key]: 'false' } } };
    await api.put(`${v1}/barns/${name}`, changed).expect(200);
    await api.delete(`${v1}/barns/${name}`).expect(200);
  });

  it('lists at most 100 protected resources', async () => {
    for (let index = 0; index < 101; index += 1) {
      await given(api, 'Field', [name, `f${index}`], guarded);
    }
    const { body } = await api.delete(farm).expect(409);
    expect(body.protected).toHaveLength(100);
  });

  it('answers a second DELETE of a tombstone as before, whatever is protected below', async () => {
    await given(api, 'Field', [name, 'south']);
    const row = await given(api, 'Row', [name, 'south', 'one']);
    await api.delete(farm).expect(202);
    const { status: _, ...rest } = row;
    await api
      .put(`${v1}/rows/${name}/south/one`, { ...rest, metadata: { ...row.metadata, ...guarded.metadata } })
      .expect(200);
    await api.delete(farm).expect(202);
    await api.delete(`${v1}/rows/${name}/south/one`).expect(409);
  });
});
