import { type Json, onEveryStore } from './api.ts';
import { given, register, registerTree, v1 } from './kinds.ts';

const namesOf = (list: Json): string[] => list.items.map((item: Json) => item.metadata.name);
const pathsOf = (list: Json): string[] =>
  list.items.map(({ metadata }: Json) => [...metadata.ancestors, metadata.name].join('/'));
const schema = { type: 'object', properties: { color: { type: 'string' }, size: { type: 'string' } } };
const version = {
  name: 'v1',
  served: true,
  storage: true,
  schema,
  selectableFields: [{ jsonPath: '.spec.color' }, { jsonPath: '.spec.size' }],
};

onEveryStore((api) => {
  const query = (parameters: Record<string, string>) => new URLSearchParams(parameters).toString();
  const list = (path: string, parameters: Record<string, string> = {}) =>
    api.get(`${v1}/${path}?${query(parameters)}`);

  beforeAll(async () => {
    await registerTree(api);
    await register(api, 'Barn', { versions: [version] });
    await register(api, 'Silo');
    const gauges = { even: '9007199254740992', more: '9007199254740993', small: '007', text: 'x7' };
    for (const [name, gauge] of Object.entries(gauges))
      await given(api, 'Silo', [name], { metadata: { labels: { gauge } } });
    for (const farm of ['a', 'a-b', 'b']) {
      await given(api, 'Farm', [farm], { metadata: { labels: { app: farm[0], [`only-${farm}`]: '' } } });
      for (const field of ['x', 'y']) {
        await given(api, 'Field', [farm, field], { metadata: { labels: { side: field } } });
        await given(api, 'Row', [farm, field, 'r'], {});
      }
    }
    for (const [name, spec] of Object.entries({
      one: { color: 'red', size: '1' },
      two: { color: 'blue' },
      three: {},
    }))
      await given(api, 'Barn', [name], { spec });
  });

  describe('a selected list', () => {
    it.each([
      ['app=a', ['a', 'a-b']],
      ['app!=a', ['b']],
      ['only-b', ['b']],
      ['!only-b,app in (a,b)', ['a', 'a-b']],
      ['', ['a', 'a-b', 'b']],
    ])('with labelSelector=%s', async (labelSelector, names) => {
      expect(namesOf((await list('farms', { labelSelector }).expect(200)).body)).toEqual(names);
    });

    it.each([
      ['gauge>06,gauge<0008', ['small']],
      ['gauge>00', ['even', 'more', 'small']],
      ['gauge<0', []],
    ])('compares integers: %s', async (labelSelector, names) => {
      expect(namesOf((await list('silos', { labelSelector }).expect(200)).body)).toEqual(names);
    });

    it.each([
      ['metadata.name=a-b', ['a-b']],
      ['metadata.name!=a', ['a-b', 'b']],
      ['metadata.deletionTimestamp=', ['a', 'a-b', 'b']],
    ])('with fieldSelector=%s', async (fieldSelector, names) => {
      expect(namesOf((await list('farms', { fieldSelector }).expect(200)).body)).toEqual(names);
    });

    it.each([
      ['spec.color=red', ['one']],
      ['spec.color!=red', ['three', 'two']],
      ['spec.color=', ['three']],
      ['spec.size=1,spec.color=red', ['one']],
    ])('by the selectable fields of the version: %s', async (fieldSelector, names) => {
      expect(namesOf((await list('barns', { fieldSelector }).expect(200)).body)).toEqual(names);
    });

    it.each([
      ['labelSelector', 'app=a b', 'at character 7'],
      ['labelSelector', 'a in', 'at character 5'],
      ['fieldSelector', 'spec.weight=1', 'at character 1'],
      ['view', 'names', 'one of full and metadata'],
    ])('is 400 with %s=%s', async (name, value, detail) => {
      const { body } = await list('barns', { [name]: value }).expect(400);
      expect(body).toMatchObject({ code: 'invalid_query', detail: expect.stringContaining(detail) });
    });

    it('is 400 with a selector that is given twice', async () => {
      await api.get(`${v1}/farms?labelSelector=app&labelSelector=app`).expect(400);
    });
  });

  describe('a list across parents', () => {
    it('has every parent, ordered by the names of the ancestors', async () => {
      const { body } = await list('fields/-').expect(200);
      expect(pathsOf(body)).toEqual(['a/x', 'a/y', 'a-b/x', 'a-b/y', 'b/x', 'b/y']);
      expect(body).toMatchObject({ kind: 'FieldList', apiVersion: v1 });
    });

    it.each([
      ['rows/-/-', ['a/x/r', 'a/y/r', 'a-b/x/r', 'a-b/y/r', 'b/x/r', 'b/y/r']],
      ['rows/a/-', ['a/x/r', 'a/y/r']],
      ['rows/-/y', ['a/y/r', 'a-b/y/r', 'b/y/r']],
      ['rows/-/none', []],
    ])('%s', async (path, expected) => {
      expect(pathsOf((await list(path).expect(200)).body)).toEqual(expected);
    });

    it('is 404 below a missing ancestor that is named first', () => list('rows/none/-').expect(404));

    it('is selected by labels', async () => {
      const { body } = await list('fields/-', { labelSelector: 'side=y' }).expect(200);
      expect(pathsOf(body)).toEqual(['a/y', 'a-b/y', 'b/y']);
    });

    it('takes only GET', async () => {
      const { headers } = await api.post(`${v1}/fields/-`, {}).expect(405);
      expect(headers['allow']).toBe('GET');
    });

    it.each([1, 2, 5])('comes in pages of %i that are together the whole', async (limit) => {
      const seen: string[] = [];
      let next: string | undefined;
      do {
        const { body } = await list('rows/-/-', {
          limit: String(limit),
          ...(next === undefined ? {} : { continue: next }),
        }).expect(200);
        seen.push(...pathsOf(body));
        next = body.metadata.continue;
      } while (next !== undefined);
      expect(seen).toEqual(['a/x/r', 'a/y/r', 'a-b/x/r', 'a-b/y/r', 'b/x/r', 'b/y/r']);
    });
  });

  // Attack: a token that names a position is used to read on in another list.
  it('a continue token is 400 with another path or other selectors', async () => {
    const { body } = await list('fields/-', { limit: '1', labelSelector: 'side=x' }).expect(200);
    const token = { limit: '1', continue: body.metadata.continue };
    await list('fields/-', { ...token, labelSelector: 'side==x' }).expect(200);
    await list('fields/-', token).expect(400);
    await list('fields/-', { ...token, labelSelector: 'side=y' }).expect(400);
    await list('fields/a', { ...token, labelSelector: 'side=x' }).expect(400);
    await list('rows/-/-', { ...token, labelSelector: 'side=x' }).expect(400);
    const plain = (await list('farms', { limit: '1' }).expect(200)).body.metadata.continue;
    await list('barns', { continue: plain }).expect(400);
    await list('farms', { continue: plain, fieldSelector: 'metadata.name!=z' }).expect(400);
  });

  it('view=metadata leaves out spec and status of items and lists', async () => {
    const { body: whole } = await list('barns/one').expect(200);
    const { spec, status, ...rest } = whole;
    expect((await list('barns/one', { view: 'metadata' }).expect(200)).body).toEqual(rest);
    expect((await list('barns', { view: 'full' }).expect(200)).body.items[0]).toEqual(whole);
    expect((await list('barns', { view: 'metadata' }).expect(200)).body.items[0]).toEqual(rest);
  });
});
