import { connectionsFor } from './database.ts';

it.each([
  [1, 10, 100],
  [8, 10, 8 * 13 + 26],
  [16, 50, 16 * 53 + 26],
])('with %s workers and pools of %s the embedded server takes %s connections', (workers, poolMax, most) => {
  expect(connectionsFor({ database: { pool_max: poolMax }, server: { workers } })).toBe(most);
});
