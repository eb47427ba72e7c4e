import { drift } from './process.ts';

describe('drift', () => {
  it('skips the first third as warm-up, and compares the second with the last', () => {
    expect(drift([10, 50, 80, 100, 101, 99, 120, 121, 119])).toEqual({ before: 100, after: 120 });
  });
});
