import { type Json, onEveryStore } from './api.ts';
import { definitions, given, group, register, sentBack, v1 } from './kinds.ts';

onEveryStore((api) => {
  const farms = `${v1}/farms`;
  const someUid = '00000000-0000-7000-8000-00000000abcd';
  let made = 0;

  beforeAll(async () => {
    await register(api, 'Farm');
  });

  /** A resource at revision 1, and every write of it. */
  async function farm(): Promise<{ at: string; read: Json; writes: Record<string, () => Json> }> {
    const name = `f${++made}`;
    const read = await given(api, 'Farm', [name]);
    const at = `${farms}/${name}`;
    const byUid = `${farms}/uid:${read.metadata.uid}`;
    const writes = {
      replace: () => api.put(at, sentBack(read, { spec: { a: 1 } })),
      'replace by uid': () => api.put(byUid, sentBack(read, { spec: { a: 1 } })),
      status: () => api.put(`${at}/status`, { status: 1 }),
      finalizers: () => api.put(`${byUid}/finalizers`, { add: ['x/y'] }),
      delete: () => api.delete(at),
    };
    return { at, read, writes };
  }
  const writeNames = ['replace', 'replace by uid', 'status', 'finalizers', 'delete'];

  it.each(writeNames)('%s is 412 for another version, and changes nothing', async (name) => {
    const { at, read, writes } = await farm();
    const write = writes[name] as () => Json;
    const { uid } = read.metadata;
    for (const header of ['"2"', `"${uid}.2"`, `"${someUid}.1"`, `W/"${uid}.1"`, 'W/"1"', '"7", "8"']) {
      const { body } = await write().set('If-Match', header).expect(412);
      expect(body).toMatchObject({ code: 'precondition_failed', currentRevision: 1 });
    }
    await write().set('If-Match', '1').expect(400);
    expect((await api.get(at).expect(200)).body).toEqual(read);
  });

  it.each(writeNames)(
    '%s goes through for its ETag, its revision, a list with one of them, and *',
    async (name) => {
      for (const headerOf of [
        (uid: string) => `"${uid}.1"`,
        () => '"1"',
        (uid: string) => `"7", W/"8", "${uid}.1"`,
        () => '*',
      ]) {
        const { read, writes } = await farm();
        await writes[name]?.().set('If-Match', headerOf(read.metadata.uid)).expect(200);
      }
    },
  );

  it.each(writeNames)('%s is 412 for a version that If-None-Match excludes', async (name) => {
    const { at, read, writes } = await farm();
    const write = writes[name] as () => Json;
    const { uid } = read.metadata;
    for (const header of ['*', `"${uid}.1"`, `"x", W/"${uid}.1"`]) {
      const { body } = await write().set('If-None-Match', header).expect(412);
      expect(body).toMatchObject({ code: 'precondition_failed', currentRevision: 1 });
    }
    await write().set('If-None-Match', '1').expect(400);
    expect((await api.get(at).expect(200)).body).toEqual(read);
    await write().set('If-None-Match', `"${uid}.2", "${someUid}.1", "1"`).expect(200);
  });

  it('an apply with If-None-Match: * creates, and changes nothing that exists', async () => {
    const name = `f${++made}`;
    const apply = (spec: object) =>
      api
        .send('PATCH', `/api/v1/resources/${farms}/${name}?fieldManager=a`)
        .set('Content-Type', 'application/apply-patch+yaml')
        .set('If-None-Match', '*')
        .send(JSON.stringify({ apiVersion: v1, kind: 'Farm', metadata: { name }, spec }));
    await apply({ a: 1 }).expect(201);
    await apply({ a: 2 }).expect(412);
    await api.put(`${farms}/absent`, {}).set('If-None-Match', '*').expect(404);
    expect((await api.get(`${farms}/${name}`).expect(200)).body.spec).toEqual({ a: 1 });
  });

  it('of writes that race with the same precondition, one goes through', async () => {
    const { at, read } = await farm();
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        api.put(`${at}/status`, { status: index }).set('If-Match', `"${read.metadata.uid}.1"`),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(412)]);
    const replaced = await Promise.all(
      Array.from({ length: 4 }, (_, index) =>
        api.put(at, sentBack(read, { metadata: { revision: 2 }, spec: { index } })).set('If-Match', '"2"'),
      ),
    );
    expect(replaced.map(({ status }) => status).sort()).toEqual([200, 412, 412, 412]);
  });

  it('a create is 412 for any version, since what is not there has none', async () => {
    const create = (header: string) =>
      api
        .post(farms, { apiVersion: v1, kind: 'Farm', metadata: { name: `f${++made}` } })
        .set('If-Match', header);
    const { body } = await create('"1"').expect(412);
    expect(body.code).toBe('precondition_failed');
    await create('1').expect(400);
    await create('*').expect(201);
    await api.post(`${farms}/uid:${someUid}/restore`, {}).set('If-Match', '"1"').expect(412);
  });

  it('a definition is replaced and deleted only at the version that was asked for', async () => {
    const read = await register(api, 'Barn');
    const at = `${definitions}/barns.${group}`;
    await api.put(at, sentBack(read)).set('If-Match', '"9"').expect(412);
    await api.delete(at).set('If-Match', `"${read.metadata.uid}.9"`).expect(412);
    await api.delete(at).set('If-Match', `"${read.metadata.uid}.1"`).expect(200);
  });

  it('a missing resource is 404 whatever the precondition, and a refused caller learns nothing from it', async () => {
    await api.delete(`${farms}/absent`).set('If-Match', '*').expect(404);
    await api.put(`${farms}/absent/status`, { status: 1 }).set('If-Match', '"1"').expect(404);
    const { at } = await farm();
    await api.put(`${at}/status`, { status: 1 }, 'controller').set('If-Match', '"9"').expect(403);
  });
});
