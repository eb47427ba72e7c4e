import { readFile, writeFile } from 'node:fs/promises';
import { testStore } from '../test/store.ts';
import { dumpSchema } from './dump-schema.ts';

const fixture = testStore();
const file = new URL('../../../drizzle/schema.sql', import.meta.url);
const header = `-- The schema that the migrations add up to. Written by a test, never by hand:
-- UPDATE_SCHEMA=1 pnpm jest packages/store-postgres/src/dump-schema.test.ts
`;

it('drizzle/schema.sql is the schema that the migrations add up to', async () => {
  const dump = `${header}\n${await dumpSchema(fixture.store.database)}`;
  if (process.env['UPDATE_SCHEMA'] === '1') await writeFile(file, dump);
  expect(await readFile(file, 'utf8')).toBe(dump);
});
