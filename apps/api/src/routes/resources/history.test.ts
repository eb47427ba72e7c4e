import type { HistoryEntry } from '@platform/resources';
import { renderEntries } from './history.ts';

const entryOf = (spec: string) => ({ resource: { spec, metadata: '{}', status: '{}' } }) as HistoryEntry;

// Attack: a read of the history of a resource of a megabyte blocks all other requests.
it('lets other requests run between large entries', async () => {
  const order: string[] = [];
  setImmediate(() => order.push('other'));
  const large = entryOf('x'.repeat(200_000));
  const render = (entry: HistoryEntry) => `${order.push(entry === large ? 'large' : 'small')}`;
  expect(await renderEntries([entryOf('{}'), large, large, large], render)).toBe('[1,2,4,5]');
  expect(order).toEqual(['small', 'large', 'other', 'large', 'large']);
});
