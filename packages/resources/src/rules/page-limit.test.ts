import { refusalOf } from '../../test/fixtures.ts';
import { listLimit, parseLimit } from './page-limit.ts';

it('uses the default, and accepts one integer in the bounds', () => {
  expect(parseLimit([], listLimit)).toBe(500);
  expect(parseLimit(['1000'], listLimit)).toBe(1000);
});

it.each([['0'], ['1001'], [''], ['1.5'], ['1e2'], ['-1'], ['a'], ['1', '2'], [' 1']])(
  'refuses %j',
  (...texts) => {
    expect(refusalOf(() => parseLimit(texts, listLimit)).code).toBe('invalid_query');
  },
);
