import { parseArgs } from 'node:util';

/** The options of a run. */
export interface Options {
  /** The numbers of connections at which cases run. */
  readonly connections: readonly number[];
  readonly rounds: number;
  /** The length of one measurement. */
  readonly seconds: number;
  /** The length of the load before the first measurement of a case, in seconds, until V8 has optimized the code. */
  readonly warmUp: number;
  /** Whether to run each measure only once, and to skip the longest ones. */
  readonly quick: boolean;
  /** The number of rows in the table before the first measurement. */
  readonly rows: number;
  /** The numbers of rows of the cascades. */
  readonly trees: readonly number[];
  /** The table sizes of a growth run, ascending; empty for a normal run. */
  readonly growth: readonly number[];
  /** Words that select cases by name; empty means all. */
  readonly only: readonly string[];
  /** The directory for a CPU profile of each case; undefined for no profiles. */
  readonly profile: string | undefined;
  /** The directory for `results.json` or `growth.json`, and the charts. */
  readonly out: string;
  /** Whether to write the results into the documentation. */
  readonly document: boolean;
  /** The URLs of empty databases, in a growth run one for each size; empty for embedded databases. */
  readonly databaseUrls: readonly string[];
}

export const usage = `pnpm bench [options]
  --quick             32 connections, small trees, each measure once; under three minutes
  --connections 1,32  numbers of connections             (1,8,32,128)
  --rounds 3          rounds                             (3; quick: 2)
  --seconds 2         length of each measurement         (2; quick: 0.7)
  --warm-up 2         seconds of load before a case      (2; quick: 1)
  --rows 100000       rows in the table                  (100000)
  --trees 10000       rows of the cascades               (10000,100000)
  --growth            measure only how costs grow from 10,000 to 1,000,000 rows; a quarter of an hour
  --sizes 10000,...   table sizes of --growth            (10000,100000,1000000)
  --only read,create  cases whose name contains one of these
  --profile           write a CPU profile of each case to <out>/profiles
  --out directory     directory for the results          (.platform/bench)
  --document          also write docs/performance/
  --database-url url  an empty database instead of the embedded one; with --growth, one for each size
`;

const minRows = 10_000;

const numbers = (text: string) => text.split(',').map(Number);

/** Throws a TypeError for an unknown option, and a RangeError for an invalid number. */
export function readOptions(args: readonly string[]): Options | 'help' {
  const { values } = parseArgs({
    args: [...args].filter((arg) => arg !== '--'),
    options: {
      quick: { type: 'boolean', default: false },
      connections: { type: 'string' },
      rounds: { type: 'string' },
      seconds: { type: 'string' },
      'warm-up': { type: 'string' },
      rows: { type: 'string' },
      trees: { type: 'string' },
      growth: { type: 'boolean', default: false },
      sizes: { type: 'string', default: '10000,100000,1000000' },
      only: { type: 'string', default: '' },
      profile: { type: 'boolean', default: false },
      out: { type: 'string', default: '.platform/bench' },
      document: { type: 'boolean', default: false },
      'database-url': { type: 'string', multiple: true, default: [] },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return 'help';
  const { quick, growth } = values;
  const options: Options = {
    connections: numbers(values.connections ?? (quick ? '32' : '1,8,32,128')),
    rounds: Number(values.rounds ?? (quick ? 2 : 3)),
    seconds: Number(values.seconds ?? (quick ? 0.7 : 2)),
    warmUp: Number(values['warm-up'] ?? (quick ? 1 : 2)),
    quick,
    rows: Number(values.rows ?? (quick ? 20_000 : 100_000)),
    trees: numbers(values.trees ?? (quick ? '10000' : '10000,100000')),
    growth: growth ? numbers(values.sizes) : [],
    only: values.only.split(',').filter((word) => word !== ''),
    profile: values.profile ? `${values.out}/profiles` : undefined,
    out: values.out,
    document: values.document,
    databaseUrls: values['database-url'],
  };
  const { connections, rounds, seconds, warmUp, rows, trees } = options;
  if (![...connections, rounds, seconds, warmUp, rows, ...trees].every((value) => value > 0)) {
    throw new RangeError('connections, rounds, seconds, warm-up, rows and trees must be positive numbers');
  }
  if (Math.min(rows, ...options.growth) < minRows) {
    throw new RangeError(
      `the table must have at least ${minRows} rows: the cases read 100 items below each of 100 roots`,
    );
  }
  const databases = Math.max(1, options.growth.length);
  if (![0, databases].includes(options.databaseUrls.length)) {
    throw new RangeError(
      `this run needs a --database-url for each of its databases: ${databases}, all empty`,
    );
  }
  return options;
}
