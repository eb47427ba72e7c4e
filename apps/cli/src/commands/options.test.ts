import { readWait } from './options.ts';

describe('a time to wait', () => {
  it.each([
    ['0', 0],
    ['30', 30],
    ['0.5s', 0.5],
    ['90s', 90],
    ['5m', 300],
    ['1.5h', 5_400],
  ])('%s', (text, seconds) => expect(readWait(text)).toBe(seconds));

  it.each(['', 's', '-1', '5d', '1m30s', '1e3', ' 5'])('refuses %j', (text) =>
    expect(() => readWait(text)).toThrow('such as 5m'),
  );
});
