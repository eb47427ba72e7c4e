import { type Options, readOptions } from './options.ts';

const read = (...args: string[]) => readOptions(args) as Options;

describe('the options of the benchmark', () => {
  it('measure everything at four numbers of connections by default', () => {
    expect(read()).toMatchObject({
      connections: [1, 8, 32, 128],
      rounds: 3,
      growth: [],
      only: [],
      databaseUrls: [],
      profile: undefined,
    });
  });

  it('are smaller for a quick run, and can be overridden', () => {
    expect(read('--quick')).toMatchObject({ connections: [32], rounds: 2, trees: [10_000] });
    expect(read('--quick', '--rounds', '5', '--connections', '1,64')).toMatchObject({
      connections: [1, 64],
      rounds: 5,
    });
  });

  it('accept one database for each size of a growth run, and one for other runs', () => {
    const urls = ['a', 'b', 'c'].flatMap((name) => ['--database-url', `postgres://localhost/${name}`]);
    expect(read('--growth', ...urls).databaseUrls).toHaveLength(3);
    expect(read('--database-url', 'postgres://localhost/a').databaseUrls).toHaveLength(1);
    expect(() => read('--growth', '--database-url', 'postgres://localhost/a')).toThrow(
      'each of its databases: 3',
    );
    expect(() => read(...urls)).toThrow('each of its databases: 1');
  });

  it.each([
    ['--seconds', '0'],
    ['--connections', '8,none'],
    ['--rows', '100'],
    ['--growth', '--sizes', '10,100'],
    ['--fast'],
  ])('refuse %s %s', (...args) => {
    expect(() => readOptions(args)).toThrow();
  });
});
