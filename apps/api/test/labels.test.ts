import { onEveryStore } from './api.ts';
import { given, register, resource, v1 } from './kinds.ts';

onEveryStore((api) => {
  const farms = `${v1}/farms`;
  const labels = { app: 'shop', 'example.dev/tier': '', 'A-1_b.c': 'X' };

  beforeAll(() => register(api, 'Farm'));

  describe('labels', () => {
    it('are read back as they were created, and replaced as a whole', async () => {
      const created = await given(api, 'Farm', ['labelled'], { metadata: { labels } });
      expect(created.metadata.labels).toEqual(labels);
      expect((await api.get(`${farms}/labelled`)).body).toEqual(created);
      const { revision } = created.metadata;
      const metadata = { revision, labels: { app: 'other' } };
      const { body } = await api
        .put(`${farms}/labelled`, resource('Farm', 'labelled', { metadata }))
        .expect(200);
      expect(body.metadata).toMatchObject({ labels: { app: 'other' }, revision: 2, generation: 1 });
    });

    it('become empty with a PUT that leaves them out', async () => {
      const { metadata } = await given(api, 'Farm', ['cleared'], { metadata: { labels } });
      const { body } = await api.put(
        `${farms}/cleared`,
        resource('Farm', 'cleared', { metadata: { revision: metadata.revision } }),
      );
      expect(body.metadata.labels).toEqual({});
    });

    it('are changed by a patch', async () => {
      await given(api, 'Farm', ['patched'], { metadata: { labels } });
      const patch = { metadata: { labels: { app: null, 'example.dev/tier': 'web' } } };
      const { body } = await api
        .send('PATCH', `/api/v1/resources/${farms}/patched`)
        .type('application/merge-patch+json')
        .send(JSON.stringify(patch))
        .expect(200);
      expect(body.metadata.labels).toEqual({ 'example.dev/tier': 'web', 'A-1_b.c': 'X' });
    });

    it('are refused with every fault', async () => {
      const bad = {
        '-a': 'x',
        'Up.Per/a': 'x',
        'a/b/c': 'x',
        [`${'l'.repeat(64)}`]: 'x',
        'ok/': 'x',
        number: 1,
        value: 'a b',
        long: 'v'.repeat(64),
        __proto__x: 'x',
      };
      const { body } = await api
        .post(farms, resource('Farm', 'bad', { metadata: { labels: bad } }))
        .expect(400);
      expect(body.code).toBe('validation_failed');
      expect(body.errors.map(({ path }: { path: string }) => path).sort()).toEqual(
        Object.keys(bad)
          .map((key) => `/metadata/labels/${key.replaceAll('/', '~1')}`)
          .sort(),
      );
    });

    it('are at most 256', async () => {
      const many = Object.fromEntries(Array.from({ length: 257 }, (_, index) => [`k${index}`, '']));
      const { body } = await api
        .post(farms, resource('Farm', 'many', { metadata: { labels: many } }))
        .expect(400);
      expect(body.errors).toMatchObject([{ path: '/metadata/labels' }]);
    });
  });
});
