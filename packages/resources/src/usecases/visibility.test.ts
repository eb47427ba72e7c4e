import { setTimeout as delay } from 'node:timers/promises';
import type { BoundCaller } from '../model/caller.ts';
import type { PlacedRow } from '../ports/resource-reader.ts';
import { visibleTo } from './visibility.ts';

const row = (uid: string, name: string, group = 'a.example'): PlacedRow => ({
  uid,
  name,
  group,
  kind: 'Page',
  plural: 'pages',
  within: ['scope'],
});

const callerWith = (rules: readonly object[]) => {
  const bindings = rules.map((rule, index) => ({
    name: `b${index}`,
    role: 'r',
    scope: 'scope',
    subjects: [],
    rules: [{ verbs: ['get'], resources: ['pages'], ...rule }],
  }));
  return { type: 'user', email: 'a@b.example', access: { version: '1', bindings } } as unknown as BoundCaller;
};

async function seen(caller: BoundCaller, rows: readonly PlacedRow[]): Promise<readonly string[]> {
  const isVisible = await visibleTo({ reader: { places: async () => rows } }, caller, rows);
  return rows.filter(isVisible).map(({ uid }) => uid);
}

describe('the resources that a caller sees', () => {
  it('are those of the groups and names of its rules', async () => {
    const caller = callerWith([
      { apiGroups: ['a.example'], resourceNames: ['x'] },
      { apiGroups: ['c.example'] },
      { apiGroups: ['b.example'], verbs: ['list'] },
    ]);
    const rows = [row('1', 'x'), row('2', 'y'), row('3', 'x', 'b.example'), row('4', 'y', 'c.example')];
    expect(await seen(caller, rows)).toEqual(['1', '4']);
  });

  // Attack: the rules of all bindings were looked through for each row. With that the test would not end within the limit of the runner, which it
  // notices when a test gives way.
  it('are found with one look at the rules of very many bindings', async () => {
    const caller = callerWith(Array.from({ length: 20_000 }, () => ({ apiGroups: ['other.example'] })));
    const rows = Array.from({ length: 100_000 }, (_, index) => row(`${index}`, 'x'));
    const found = await seen(caller, rows);
    await delay(0);
    expect(found).toEqual([]);
  });
});
