import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { testDatabase } from '@platform/development/testing';
import { migrate } from '@platform/postgres';
import { withStatements } from '../test/statements/document.ts';
import { type Sent, sentByOperations } from '../test/statements/sent.ts';

const database = testDatabase({ migrate: (url) => migrate({ url }) });
let sent: Sent;

beforeAll(async () => {
  sent = await sentByOperations(database);
}, 120_000);

/** Sources that send what is not explained, and why. */
const unexplained: Readonly<Record<string, string>> = {
  'drizzle.ts': 'hands statements on',
  'dump-schema.ts': 'reads the catalogs of the server, for a test',
  'nested.ts': 'sets and releases savepoints',
  'store.ts': 'asks for nothing (select 1)',
  'operations/garbage-collector/planned.ts': 'hands statements on, with the settings of the planner',
  'listener.ts': 'listens',
  'operations/change-log/restart.ts': 'starts the log again after a restore into another cluster, once',
  'operations/fsck': 'reads the whole database, as it must',
  'operations/sealed-values': 'reads whole tables in the order of their primary keys, for operators',
};

/** The places in the sources where statements are sent, as `operations/resources/list.ts:27`. */
function placesThatSend(): readonly string[] {
  const root = new URL('.', import.meta.url);
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .filter((file) => !Object.keys(unexplained).some((prefix) => file.startsWith(prefix)))
    .flatMap((file) =>
      readFileSync(new URL(file, root), 'utf8')
        .split('\n')
        .flatMap((line, index) =>
          /\.(?:rows|script)\b\s*[<(]|\bplannedRows\b\s*[<(]/.test(line) ? [`${file}:${index + 1}`] : [],
        ),
    );
}

it('the operations that are explained send from every place in the sources that sends anything', () => {
  const places = placesThatSend();
  expect(places.length).toBeGreaterThan(60);
  expect(places.filter((place) => !sent.places.has(place))).toEqual([]);
});

it('docs/store.md says which index serves which statement (UPDATE_DOCS=1 writes it)', () => {
  const file = new URL('../../../docs/store.md', import.meta.url);
  const document = readFileSync(file, 'utf8');
  const expected = withStatements(document);
  if (process.env['UPDATE_DOCS'] === '1') writeFileSync(file, expected);
  else expect(document).toBe(expected);
});

it('every index of the database serves an operation, or holds a rule', async () => {
  const rows = await database.sql<{ name: string }[]>`
    select indexrelid::regclass::text as name from pg_index join pg_class on pg_class.oid = indrelid
    where relnamespace = current_schema()::regnamespace and not indisunique and not relispartition`;
  const document = readFileSync(new URL('../../../docs/store.md', import.meta.url), 'utf8');
  const unused = rows.map(({ name }) => name).filter((name) => !document.includes(`\`${name}\``));
  expect(unused).toEqual([]);
});
