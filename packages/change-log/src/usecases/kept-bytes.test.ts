import { KeptBytes } from './kept-bytes.ts';

const kilobyte = 1_024;

it('refuses bytes that do not fit with the rest, until some are released', () => {
  const kept = new KeptBytes(1_000 * kilobyte);
  const first = kept.reserve(600 * kilobyte);
  expect(first).toBe(600 * kilobyte);
  expect(kept.reserve(600 * kilobyte)).toBeNull();
  kept.release(first ?? 0);
  expect(kept.reserve(600 * kilobyte)).not.toBeNull();
});

it('lets every stream keep a little, however many there are', () => {
  const kept = new KeptBytes(0);
  expect(kept.reserve(64 * kilobyte)).toBe(0);
  expect(kept.reserve(65 * kilobyte)).toBeNull();
});
