import type { Json } from '../api.ts';
import { describeWith, useKubernetes } from './kubernetes-clients.ts';
import { crd, organization } from './objects.ts';

const definition = '/kubernetes/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const path = 'apis/example.dev/v1';
const merge = 'application/merge-patch+json';

describe('the hash of a document of /openapi/v3', () => {
  const { api, clients, send } = useKubernetes();
  const urls = async (): Promise<Readonly<Record<string, string>>> => {
    const { body } = await send('GET', '/kubernetes/openapi/v3').expect(200);
    return Object.fromEntries(
      Object.entries<Json>(body.paths).map(([name, { serverRelativeURL }]) => [name, serverRelativeURL]),
    );
  };
  const change = (body: object) =>
    send('PATCH', `${definition}/widgets.example.dev`, body, merge).expect(200);
  const properties = (names: readonly string[]) => {
    const changed = structuredClone(crd.spec);
    for (const { schema } of changed.versions)
      for (const name of names)
        Object.assign(schema.openAPIV3Schema.properties.spec.properties, { [name]: { type: 'string' } });
    return { spec: { versions: changed.versions } };
  };

  beforeAll(async () => {
    await api.post('platform.dev/v1alpha1/organizations', organization('acme')).expect(201);
    await send('POST', definition, crd).expect(201);
  });

  it('names one text, which clients keep without asking again', async () => {
    const url = (await urls())[path] ?? '';
    const read = await send('GET', `/kubernetes${url}`).expect(200);
    expect(read.headers['cache-control']).toContain('immutable');
    const { etag = '' } = read.headers;
    expect(url).toContain(etag.replaceAll('"', ''));
    await send('GET', `/kubernetes${url}`).set('If-None-Match', etag).expect(304);
    const again = await send('GET', `/kubernetes${url}`).expect(200);
    expect(again.text).toBe(read.text);
  });

  it('stays while nothing changes that the document shows', async () => {
    const before = await urls();
    await change({ metadata: { labels: { a: 'b' } } });
    expect(await urls()).toEqual(before);
  });

  it('changes with the definition, for its document alone', async () => {
    const before = await urls();
    await change(properties(['weight']));
    const { [path]: changed, ...others } = await urls();
    const { [path]: old = '', ...same } = before;
    expect(changed).not.toBe(old);
    expect(others).toEqual(same);
    const stale = await send('GET', `/kubernetes${old}`).expect(200);
    expect(stale.text).toContain('weight');
    expect(stale.headers['cache-control']).not.toContain('immutable');
  });

  describeWith('kubectl')('with kubectl (skipped where it is not installed)', () => {
    it('makes kubectl explain a changed definition in spite of its cache', async () => {
      const explain = () => clients.kubectl('explain', 'widgets.spec');
      await change(properties([]));
      expect(await explain()).not.toContain('height');
      expect(await explain()).not.toContain('height');
      await change(properties(['height']));
      expect(await explain()).toContain('height');
    });
  });
});
