import { below, given } from '../../../test/rows.ts';
import { testStore } from '../../../test/store.ts';

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

  it('of pending deletions ends too', async () => {
    await fixture.database.sql`update resources set deletion_timestamp = now() where kind = 'Heavy'`;
    const pending = await fixture.store.reader.pendingDeletion(1000);
    expect(pending.length).toBeGreaterThan(10);
    expect(pending.length).toBeLessThan(25);
    expect((await fixture.store.reader.pendingDeletion(100)).length).toBe(40);
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
