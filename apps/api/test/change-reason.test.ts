import { onEveryStore } from './api.ts';
import { registerTree, resource, v1 } from './kinds.ts';

onEveryStore((api) => {
  beforeAll(() => registerTree(api));

  describe('X-Change-Reason', () => {
    it.each([
      ['a tab', 'a\tb'],
      ['more than 1,024 characters', 'x'.repeat(1_025)],
    ])('is refused with %s, and nothing is written', async (_, reason) => {
      const refused = await api
        .post(`${v1}/farms`, resource('Farm', 'refused'))
        .set('X-Change-Reason', reason);
      expect(refused.status).toBe(400);
      expect(refused.body).toMatchObject({ code: 'malformed_request' });
      await api.get(`${v1}/farms/refused`).expect(404);
    });

    it('has up to 1,024 characters of any script', async () => {
      const reason = 'ß'.repeat(1_024);
      await api.post(`${v1}/farms`, resource('Farm', 'told')).set('X-Change-Reason', reason).expect(201);
    });
  });
});
