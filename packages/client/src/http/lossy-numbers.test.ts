import { lossyNumbers } from './lossy-numbers.ts';

it.each(['9007199254740993', '-12345678901234567890', '1e400', '1e-400', '0.1234567890123456789'])(
  'reports %s, which JSON.parse would change',
  (number) => {
    expect(lossyNumbers(`{"spec":{"n":[${number}]}}`)).toEqual([number]);
  },
);

it.each([
  '0',
  '-0',
  '0.0',
  '1.10',
  '100',
  '1E2',
  '1e+2',
  '9007199254740992',
  '0.1',
  '5e-324',
  '1.7976931348623157e308',
])('sees that JSON.parse keeps %s', (number) => {
  expect(lossyNumbers(`{"spec":{"n":${number}}}`)).toEqual([]);
});

it('ignores strings and the status, which is not written back', () => {
  const text =
    '{"status":{"n":1e400},"metadata":{"annotations":{"a":"1e400","\\"":"b"}},"spec":{"status":1e401}}';
  expect(lossyNumbers(text)).toEqual(['1e401']);
});

it('takes no longer for a million zeros within a number', () => {
  const huge = `1${'0'.repeat(1_000_000)}1`;
  expect(lossyNumbers(`{"spec":{"n":${huge}}}`)).toEqual([huge]);
});
