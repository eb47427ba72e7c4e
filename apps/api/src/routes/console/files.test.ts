import { type ConsoleFile, chooseCoding } from './files.ts';

const file: ConsoleFile = {
  type: 'text/css; charset=utf-8',
  bytes: Buffer.from('as it is'),
  compressed: new Map([
    ['br', Buffer.from('brotli')],
    ['gzip', Buffer.from('gzip')],
  ]),
};

it.each([
  ['gzip, deflate, br, zstd', 'br'],
  ['GZIP', 'gzip'],
  ['br;q=0, gzip;q=0.1', 'gzip'],
  ['br ; q=0.000, *', 'gzip'],
  ['*', 'br'],
  ['identity', undefined],
  ['deflate', undefined],
  ['', undefined],
  [undefined, undefined],
])('chooses for Accept-Encoding %j the coding %s', (sent, coding) => {
  expect(chooseCoding(file, sent)?.coding).toBe(coding);
});
