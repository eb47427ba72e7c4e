import { shares } from './http.ts';

it('connections and addresses are dealt out to clients in turn', () => {
  const requests = ['a', 'b', 'c'].map((path) => [{ path }]);
  const sending = { seconds: 1, headers: { x: 'y' }, requests };
  const [a, b, c] = requests;
  expect(shares({ ...sending, urls: ['http://one', 'http://two'] }, 2)).toEqual([
    { ...sending, urls: ['http://one'], requests: [a, c] },
    { ...sending, urls: ['http://two'], requests: [b] },
  ]);
  expect(shares({ ...sending, urls: ['http://one'] }, 2).map(({ urls }) => urls)).toEqual([
    ['http://one'],
    ['http://one'],
  ]);
});
