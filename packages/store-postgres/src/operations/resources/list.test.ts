import { type Parameter, parseArrayLiteral, type Sql, statementsIn } from '@platform/postgres';
import type { CollectionRef, Resource } from '@platform/resources';
import { below, given } from '../../../test/rows.ts';
import { testStore } from '../../../test/store.ts';
import { lightPage } from './bounded-page.ts';
import { listBatched } from './list.ts';

const fixture = testStore();

const page = async (limit: number, after: string | null = null) => {
  const outcome = await fixture.store.reader.list(below('Heavy'), { limit, after }, null);
  if (outcome.outcome !== 'page') throw new Error(outcome.outcome);
  return { names: outcome.items.map((item) => item.name), more: outcome.more };
};

describe('a page of many large documents', () => {
  const names = Array.from({ length: 40 }, (_, index) => `heavy-${index + 10}`);
  beforeAll(async () => {
    const spec = JSON.stringify({ text: 'x'.repeat(900_000) });
    for (const name of names) await given(fixture.store, { collection: below('Heavy'), name, spec });
  });

  it('ends before it gets too heavy, and the next one goes on from there', async () => {
    const first = await page(500);
    expect(first.more).toBe(true);
    expect(first.names.length).toBeLessThan(25);
    const found = [...first.names];
    for (let more = true; more; ) {
      const next = await page(500, found.at(-1));
      found.push(...next.names);
      more = next.more;
    }
    expect(found).toEqual(names);
  });

  it('ends whatever its limit is, twice alike', async () => {
    for (const limit of [100, 40, 100]) {
      const { names: found, more } = await page(limit);
      expect(found).toEqual(names.slice(0, found.length));
      expect([found.length > 10, found.length < 25, more]).toEqual([true, true, true]);
    }
    expect(await page(2)).toEqual({ names: names.slice(0, 2), more: true });
  });

  it('is weighed by its documents, however well they are compressed or how many there are', async () => {
    const spec = JSON.stringify({ text: 'y'.repeat(900_000) });
    const status = JSON.stringify({ controllers: { c: 'z'.repeat(200_000) } });
    for (let index = 10; index < 30; index += 1) {
      await given(fixture.store, { collection: below('Mixed'), name: `m-${index}`, spec });
    }
    await fixture.database.sql.unsafe(`update resources set status = '${status}' where kind = 'Mixed'`);
    const outcome = await fixture.store.reader.list(below('Mixed'), { limit: 100, after: null }, null);
    if (outcome.outcome !== 'page') throw new Error(outcome.outcome);
    const bytes = outcome.items.reduce((sum, item) => sum + item.spec.length + item.status.length, 0);
    expect(bytes).toBeLessThanOrEqual(16 * 1024 * 1024);
    expect(outcome.items.length).toBe(15);
  });

  it('of pending deletions ends too', async () => {
    await fixture.database.sql`update resources set deletion_timestamp = now() where kind = 'Heavy'`;
    const pending = async (limit: number) =>
      await fixture.store.reader.pendingDeletion({ limit, after: null });
    const { items, more } = await pending(1000);
    expect([items.length > 10, items.length < 25, more]).toEqual([true, true, true]);
    expect((await pending(100)).items.length).toBeLessThan(25);
  });
});

it('a page says exactly whether items follow, weighed or not', async () => {
  for (let index = 0; index < 103; index += 1) {
    await given(fixture.store, { collection: below('Light'), name: `light-${index}` });
  }
  const more = async (limit: number) => {
    const outcome = await fixture.store.reader.list(below('Light'), { limit, after: null }, null);
    return outcome.outcome === 'page' && [outcome.items.length, outcome.more];
  };
  expect(await more(100)).toEqual([100, true]);
  expect(await more(102)).toEqual([102, true]);
  expect(await more(103)).toEqual([103, false]);
  expect(await more(104)).toEqual([103, false]);
});

it('pages of one tick are answered each with its own items, at every depth and of every kind', async () => {
  const { store } = fixture;
  const shelf = await given(store, { collection: below('Shelf') });
  const other = await given(store, { collection: below('Shelf') });
  const items = (kind: string, on: Resource, names: readonly string[]) =>
    Promise.all(names.map((name) => given(store, { collection: below(kind, on), name })));
  const books = await items('Book', shelf, ['a', 'b', 'c']);
  const others = await items('Book', other, ['a', 'b']);
  const jars = await items('Jar', other, ['a']);

  const absent = { group: 'example.dev', kind: 'Shelf', name: 'absent' };
  const list = (collection: CollectionRef, limit = 100, after: string | null = null) =>
    store.reader.list(collection, { limit, after }, null);
  const page = (of: readonly Resource[], more = false) => ({
    outcome: 'page',
    items: of,
    more,
    cursor: expect.any(String),
  });
  expect(
    await Promise.all([
      list(below('Book', shelf)),
      list(below('Book', other), 1),
      list(below('Book', other), 100, 'a'),
      list(below('Jar', other)),
      list(below('Jar', shelf)),
      list({ ...below('Jar'), ancestors: [absent] }),
      list(below('Shelf'), 100, 'z'),
      list(below('Book', shelf), lightPage + 1),
    ]),
  ).toEqual([
    page(books),
    page(others.slice(0, 1), true),
    page(others.slice(1)),
    page(jars),
    page([]),
    { outcome: 'ancestorMissing' },
    page([]),
    page(books),
  ]);
});

it('pages of one tick share statements, up to four, and never one with a page that is weighed', async () => {
  const sent: (readonly Parameter[])[] = [];
  const sql: Sql = {
    async rows<Row extends readonly unknown[]>(_text: string, parameters: readonly Parameter[] = []) {
      sent.push(parameters);
      const places = parseArrayLiteral(parameters[0] as string);
      return places.map(
        (_, index) => [index + 1, null, 'store 1 1 1:1:', null, null, null, 0] as const,
      ) as unknown as readonly Row[];
    },
  };
  const list = listBatched(statementsIn(sql));
  const limits = [1, 2, lightPage + 1, 3, lightPage, 4];
  await Promise.all(limits.map((limit) => list(below('Light'), { limit, after: null }, null)));
  expect(sent.map((parameters) => parameters[3])).toEqual(['{102}', '{2,3,4,101}', '{5}']);
});

it('a page that the database cannot understand fails alone', async () => {
  const list = (after: string) => fixture.store.reader.list(below('Light'), { limit: 1, after }, null);
  expect(await Promise.allSettled([list('light-98'), list('\0'), list('light-99')])).toMatchObject([
    { value: { items: [{ name: 'light-99' }] } },
    { reason: { code: '22021' } },
    { value: { items: [] } },
  ]);
});
