import { type Json, onEveryStore } from './api.ts';
import { definitions, given, register, v1 } from './kinds.ts';

onEveryStore((api) => {
  const farms = `${v1}/farms`;
  const names = ['a', 'a-b', 'a.b', 'a0', 'b', 'z'];

  beforeAll(async () => {
    await register(api, 'Farm');
    await register(api, 'Field', { parent: { apiVersion: v1, kind: 'Farm' } });
    for (const name of names.toReversed()) await given(api, 'Farm', [name]);
    await given(api, 'Field', ['a', 'one']);
    await given(api, 'Field', ['b', 'two']);
  });

  const namesOf = (list: Json): string[] => list.items.map((item: Json) => item.metadata.name);

  describe('a list', () => {
    it('is named after the kind and ordered by name', async () => {
      const { body } = await api.get(farms).expect(200);
      expect(body).toMatchObject({ apiVersion: v1, kind: 'FarmList', metadata: {} });
      expect(namesOf(body)).toEqual(names);
      expect(body.items[0]).toEqual((await api.get(`${farms}/a`)).body);
    });

    it('holds what is below the named ancestor alone', async () => {
      expect(namesOf((await api.get(`${v1}/fields/a`).expect(200)).body)).toEqual(['one']);
      expect(namesOf((await api.get(`${v1}/fields/z`).expect(200)).body)).toEqual([]);
    });

    it('holds definitions like any other resource', async () => {
      const { body } = await api.get(definitions).expect(200);
      expect(body.kind).toBe('ResourceDefinitionList');
      expect(namesOf(body)).toEqual(['farms.farm.example', 'fields.farm.example']);
    });

    it.each([1, 2, 4, 6])('comes in pages of %i that are together the whole', async (limit) => {
      const seen: string[] = [];
      let next: string | undefined;
      do {
        const query: string = next === undefined ? '' : `&continue=${encodeURIComponent(next)}`;
        const { body } = await api.get(`${farms}?limit=${limit}${query}`).expect(200);
        expect(body.items.length).toBeLessThanOrEqual(limit);
        seen.push(...namesOf(body));
        next = body.metadata.continue;
      } while (next !== undefined);
      expect(seen).toEqual(names);
    });

    it('goes on after a row that was deleted since', async () => {
      await given(api, 'Farm', ['m']);
      const { body: first } = await api.get(`${farms}?limit=6`);
      expect(namesOf(first).at(-1)).toBe('m');
      await api.delete(`${farms}/m`).expect(200);
      const { body: second } = await api.get(`${farms}?limit=6&continue=${first.metadata.continue}`);
      expect(namesOf(second)).toEqual(['z']);
    });

    it.each(['0', '1001', '-1', '1.5', 'x', '', '1e2', ' 1', '+1', '0x1', '99999999999999999999', '%ff'])(
      'is 400 with limit=%s',
      async (limit) => {
        const answer = await api.get(`${farms}?limit=${limit}`).expect(400);
        expect(answer.body.code).toBe('invalid_query');
      },
    );

    it.each([
      'limit=1&limit=2',
      'continue=',
      'continue=x',
      'continue=%00',
      'continue=e30',
      'continue=__proto__',
    ])('is 400 with %s', async (query) => {
      const answer = await api.get(`${farms}?${query}`).expect(400);
      expect(answer.body.code).toBe('invalid_query');
    });

    it('takes the least and the most', async () => {
      await api.get(`${farms}?limit=1`).expect(200);
      await api.get(`${farms}?limit=1000`).expect(200);
    });
  });
});
