import { runningStatements, splitLoad } from './http.ts';

it('splitLoad assigns connections and addresses to load generators in rotation', () => {
  const requests = ['a', 'b', 'c'].map((path) => [{ path }]);
  const sending = { seconds: 1, headers: { x: 'y' }, requests };
  const [a, b, c] = requests;
  expect(splitLoad({ ...sending, urls: ['http://one', 'http://two'] }, 2)).toEqual([
    { ...sending, urls: ['http://one'], requests: [a, c] },
    { ...sending, urls: ['http://two'], requests: [b] },
  ]);
  expect(splitLoad({ ...sending, urls: ['http://one'] }, 2).map(({ urls }) => urls)).toEqual([
    ['http://one'],
    ['http://one'],
  ]);
});

const metrics = `# TYPE platform_api_database_connections gauge
platform_api_database_connections{state="max"} 10
platform_api_database_connections{state="busy"} 3
platform_api_database_connections{state="waiting"} 4
`;

describe('runningStatements', () => {
  it('counts running and waiting statements', () => expect(runningStatements(metrics)).toBe(7));
  it('is undefined without the metric', () => expect(runningStatements('')).toBeUndefined());
});
