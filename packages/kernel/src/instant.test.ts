import { isNumericDate, parseInstant } from './instant.ts';

it.each([
  ['2026-02-28T12:00:00Z', '2026-02-28T12:00:00.000Z'],
  ['2024-02-29T23:59:59.123456789+01:30', '2024-02-29T22:29:59.123Z'],
  ['2026-02-28t12:00:00z', '2026-02-28T12:00:00.000Z'],
  ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
  ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
])('reads %s', (text, instant) => {
  expect(parseInstant(text)).toBe(instant);
});

it.each([
  ...['2026-02-30T00:00:00Z', '2023-02-29T00:00:00Z', '2026-13-01T00:00:00Z', '2026-00-10T00:00:00Z'],
  ...['2026-01-01T24:00:00Z', '2026-01-01T23:59:60Z', '2026-01-01T00:00:00', '2026-01-01', 'yesterday', ''],
  ...['0000-01-01T00:00:00Z', '0001-01-01T00:00:00+01:00', '9999-12-31T23:59:59-00:01'],
  ...['2026-01-01T00:00:00+99:00', ' 2026-01-01T00:00:00Z'],
])('refuses %j', (text) => {
  expect(parseInstant(text)).toBeNull();
});

it('takes seconds until the end of 9999 for a time of a token, and nothing else', () => {
  for (const value of [0, 0.5, 1_750_000_000, 253_402_300_799])
    expect([value, isNumericDate(value)]).toEqual([value, true]);
  for (const value of [-1, 253_402_300_800, 1e300, Number.NaN, '1750000000', null, undefined, {}])
    expect([value, isNumericDate(value)]).toEqual([value, false]);
});
