import { StorageUnavailable } from '@platform/kernel';
import { coalesceReads } from './coalesced-reads.ts';
import type { Sql } from './connection.ts';
import { statementsIn } from './one-connection.ts';
import { translateError } from './sqlstate.ts';

/** Reads of numbers, where even and odd ones do not fit together; `broken` is thrown for a statement with a 13. */
function reads(broken: Error) {
  const sent: (readonly number[])[] = [];
  const sql: Sql = { rows: async () => [] };
  const read = coalesceReads<number, string>(statementsIn(sql), {
    limits: { maxCount: 3, maxRunning: 2 },
    keyOf: (number) => number % 2,
    async run(_sql, numbers) {
      sent.push(numbers);
      if (numbers.includes(13)) throw broken;
      return numbers.map(String);
    },
  });
  return { sent, read };
}

it('reads of one tick share statements, up to the limit, with those they fit to, and get each its own answer', async () => {
  const { sent, read } = reads(new Error('never'));
  expect(await Promise.all([1, 2, 3, 4, 5, 7].map(read))).toEqual(['1', '2', '3', '4', '5', '7']);
  expect(sent).toEqual([[1, 3, 5], [7], [2, 4]]);
});

it('a read that cannot be answered fails alone', async () => {
  const broken = new Error('broken');
  const { sent, read } = reads(broken);
  const settled = await Promise.allSettled([11, 13, 15].map(read));
  expect(settled).toEqual([
    { status: 'fulfilled', value: '11' },
    { status: 'rejected', reason: broken },
    { status: 'fulfilled', value: '15' },
  ]);
  expect(sent).toEqual([[11, 13, 15], [11], [13], [15]]);
});

it('a read that takes too long fails alone, and is not asked again when it was alone', async () => {
  const late = translateError(Object.assign(new Error('canceled'), { code: '57014' })) as Error;
  const { sent, read } = reads(late);
  const settled = await Promise.allSettled([11, 13].map(read));
  expect(settled).toEqual([
    { status: 'fulfilled', value: '11' },
    { status: 'rejected', reason: late },
  ]);
  expect(sent).toEqual([[11, 13], [11], [13]]);
  await expect(read(13)).rejects.toBe(late);
  expect(sent.slice(3)).toEqual([[13]]);
});

it('an outage is not asked again for each read', async () => {
  const outage = new StorageUnavailable('The database cannot be reached.');
  const { sent, read } = reads(outage);
  const settled = await Promise.allSettled([11, 13].map(read));
  expect(settled.map((each) => each.status === 'rejected' && each.reason)).toEqual([outage, outage]);
  expect(sent).toEqual([[11, 13]]);
});
