import type { Resource } from '../model/resource.ts';
import type { HistoryEntry } from '../ports/resource-history.ts';
import { readHistory } from './history.ts';

const ref = { by: 'uid', uid: 'u', group: 'farm.example', kind: 'Farm' } as const;
const resource = { uid: 'u', apiVersion: 'farm.example/v1', kind: 'Farm', revision: 9 } as Resource;

async function read(entries: readonly Partial<HistoryEntry>[], limit: number) {
  const ports = {
    reader: { get: async () => ({ resource }) },
    history: { entries: async () => entries.map((entry) => ({ resource, ...entry })) },
  };
  const request = { target: { ref, collection: null, version: 'v1' }, limit, before: null };
  return await readHistory(ports as never, request as never);
}

describe('a page of a history', () => {
  it('goes on after its limit, and where the documents were too large for more', async () => {
    expect(await read([{}, {}, {}], 2)).toMatchObject({ more: true, entries: [{}, {}] });
    expect(await read([{}, {}], 2)).toMatchObject({ more: false });
    expect(await read([{}, { endsPage: true }], 50)).toMatchObject({ more: true });
    expect(await read([], 50)).toMatchObject({ more: false });
  });
});
