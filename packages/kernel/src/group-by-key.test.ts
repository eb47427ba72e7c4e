import { groupByKey } from './group-by-key.ts';

it('groups the values of equal keys, in the order of the pairs', () => {
  const groups = groupByKey([
    ['b', 1],
    ['a', 2],
    ['b', 3],
  ]);
  expect([...groups]).toEqual([
    ['b', [1, 3]],
    ['a', [2]],
  ]);
});
