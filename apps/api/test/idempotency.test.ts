import { type As, type Json, onEveryStore } from './api.ts';
import { given, register, resource, v1 } from './kinds.ts';

onEveryStore((api) => {
  const farms = `${v1}/farms`;
  let made = 0;
  const name = () => `f${++made}`;

  beforeAll(async () => {
    await register(api, 'Farm');
    await register(api, 'Field', { parent: { apiVersion: v1, kind: 'Farm' } });
  });

  const post = (key: string, body: Json, path = farms, as?: As) =>
    api.post(path, body, as).set('Idempotency-Key', key);

  it('a repeated request is answered as the first one was, also when the resource is gone', async () => {
    const body = resource('Farm', name(), { spec: { n: 1 } });
    const first = await post('a1', body).expect(201);
    const records = api.audit.records.length;
    const second = await post('a1', body).expect(201);
    expect(second.text).toBe(first.text);
    expect([second.headers['location'], second.headers['etag']]).toEqual([
      first.headers['location'],
      first.headers['etag'],
    ]);
    expect(api.audit.records).toHaveLength(records);
    await api.delete(`${farms}/${body.metadata.name}`).expect(200);
    expect((await post('a1', body).expect(201)).text).toBe(first.text);
    await api.get(`${farms}/${body.metadata.name}`).expect(404);
  });

  it('another body with the key is 422', async () => {
    await post('b1', resource('Farm', name())).expect(201);
    expect((await post('b1', resource('Farm', name())).expect(422)).body.code).toBe('idempotency_key_reused');
  });

  it('a key belongs to a path', async () => {
    const farm = name();
    await given(api, 'Farm', [farm]);
    await post('c1', resource('Farm', name())).expect(201);
    await post('c1', resource('Field', 'a'), `${v1}/fields/${farm}`).expect(201);
  });

  it('a path is the same in every spelling', async () => {
    const farm = name();
    await given(api, 'Farm', [farm]);
    const spelled = `${v1}/fields/%${farm.charCodeAt(0).toString(16)}${farm.slice(1)}`;
    const first = await post('c2', resource('Field', 'a'), spelled).expect(201);
    expect((await post('c2', resource('Field', 'a'), `${v1}/fields/${farm}`).expect(201)).text).toBe(
      first.text,
    );
    const other = await post('c2', resource('Field', 'b'), spelled).expect(422);
    expect(other.body.code).toBe('idempotency_key_reused');
  });

  it('a refusal is not kept', async () => {
    const taken = name();
    const { metadata } = await given(api, 'Farm', [taken]);
    const body = resource('Farm', taken);
    await post('d1', body).expect(409);
    await api.delete(`${farms}/uid:${metadata.uid}`).expect(200);
    await post('d1', body).expect(201);
  });

  it('a dry run keeps nothing', async () => {
    const body = resource('Farm', name());
    await post('e1', body, `${farms}?dryRun=true`).expect(201);
    await post('e1', body).expect(201);
    await api.get(`${farms}/${body.metadata.name}`).expect(200);
  });

  it('a dry run is answered as the request itself would be, which may have been answered before', async () => {
    const body = resource('Farm', name());
    const first = await post('f1', body).expect(201);
    const repeated = await post('f1', body, `${farms}?dryRun=true`).expect(201);
    expect([repeated.text, repeated.headers['etag']]).toEqual([first.text, first.headers['etag']]);
    expect(repeated.headers['x-dry-run']).toBe('true');
    const other = await post('f1', resource('Farm', name()), `${farms}?dryRun=true`).expect(422);
    expect(other.body.code).toBe('idempotency_key_reused');
    const operation = { method: 'POST', path: `/api/v1/resources/${farms}`, body: resource('Farm', name()) };
    const send = (query: string) =>
      api
        .send('POST', `/api/v1/batch${query}`)
        .set('Idempotency-Key', 'f2')
        .send({ operations: [operation] });
    await send('?dryRun=true').expect(200);
    const done = await send('').expect(200);
    expect((await send('?dryRun=true').expect(200)).text).toBe(done.text);
  });

  it('of concurrent requests with one key, one is made', async () => {
    const body = resource('Farm', name());
    const answers = await Promise.all(Array.from({ length: 8 }, () => post('g1', body)));
    const created = answers.filter(({ status }) => status === 201);
    expect(created.length).toBeGreaterThan(0);
    expect(new Set(created.map(({ text }) => text)).size).toBe(1);
    for (const { status, body: refusal, headers } of answers) {
      if (status === 201) continue;
      expect([status, refusal.code, headers['retry-after']]).toEqual([409, 'request_in_progress', '1']);
    }
    expect((await post('g1', body).expect(201)).text).toBe(created[0]?.text);
  });

  it('a batch has one key, and none for its operations', async () => {
    const body = resource('Farm', name());
    const operation = { method: 'POST', path: `/api/v1/resources/${farms}`, body };
    const send = (operations: Json) =>
      api.send('POST', '/api/v1/batch').set('Idempotency-Key', 'h1').send({ operations });
    const first = await send([operation]).expect(200);
    expect((await send([operation]).expect(200)).text).toBe(first.text);
    await send([operation, operation]).expect(422);
    await send([{ ...operation, headers: { 'idempotency-key': 'x' } }]).expect(400);
    await send([{ ...operation, headers: { 'If-Match': '"1"', 'if-match': '"9"' } }]).expect(400);
  });

  it.each(['a b', 'x'.repeat(256), 'ä'])('%.10s is no key', async (key) => {
    await post(key, resource('Farm', name())).expect(400);
    await post(key, resource('Farm', name()), `${farms}?dryRun=true`).expect(400);
    await api
      .send('POST', '/api/v1/batch?dryRun=true')
      .set('Idempotency-Key', key)
      .send({ operations: [] })
      .expect(400);
  });
});
