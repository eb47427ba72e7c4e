import { testStore } from '../test/store.ts';

const fixture = testStore({ poolMax: 1 });

type ForeignKey = readonly [name: string, table: string, columns: string];
interface Scan {
  readonly 'Index Name'?: string;
  readonly 'Index Cond'?: string;
  readonly Plans?: readonly Scan[];
}

/** Columns that refer to other rows. Each deleted row sets off a look for rows that refer to it, by a plan that a session makes once. */
async function foreignKeys(): Promise<readonly ForeignKey[]> {
  return fixture.store.database.rows<ForeignKey>(`
    select conname, conrelid::regclass::text, string_agg(attname, ' ' order by attname) from pg_constraint
    join pg_attribute on attrelid = conrelid and attnum = any (conkey)
    where contype = 'f' and connamespace = current_schema()::regnamespace group by 1, 2 order by 1`);
}

/** The fault in the check of a foreign key as the server runs it (ri_triggers.c, RI_FKey_noaction_del); null without one. */
async function faultOf([name, table, columns]: ForeignKey): Promise<string | null> {
  const { database } = fixture.store;
  return database.transaction(async (sql) => {
    const each = columns.split(' ');
    const condition = each
      .map((column, index) => `$${index + 1} operator(pg_catalog.=) ${column}`)
      .join(' and ');
    await sql.rows(`prepare check_of as select 1 from only ${table} x where ${condition} for key share of x`);
    const nulls = each.map(() => 'null').join(', ');
    const [row] = await sql.rows<readonly [string]>(`explain (format json) execute check_of (${nulls})`);
    await sql.rows('deallocate check_of');
    const scan = scanIn(JSON.parse(row?.[0] ?? '')[0].Plan);
    const index = scan?.['Index Name'];
    const [leading] = await sql.rows<readonly [string]>(
      `select attname from pg_index join pg_attribute on attrelid = indrelid and attnum = indkey[0] where indexrelid = to_regclass($1::text)`,
      [index ?? ''],
    );
    const led = each.includes(leading?.[0] ?? '');
    return led ? null : `${name}: ${columns} is looked for in ${index ?? 'the whole table'}`;
  });
}

function scanIn(node: Scan): Scan | undefined {
  if (node['Index Cond'] !== undefined) return node;
  return node.Plans?.map(scanIn).find((each) => each !== undefined);
}

async function faults(keys: readonly ForeignKey[]): Promise<readonly string[]> {
  const found: string[] = [];
  for (const key of keys) {
    const fault = await faultOf(key);
    if (fault !== null) found.push(fault);
  }
  return found;
}

describe('the check of a foreign key is one look-up in an index that is led by its columns', () => {
  it('when the database is new', async () => {
    const keys = await foreignKeys();
    expect(keys.length).toBeGreaterThan(5);
    expect(await faults(keys)).toEqual([]);
  });

  // Rows of the other tables are deleted one at a time, by sessions that plan again when a table has grown (plan-freshness.ts).
  it('when it was analyzed while it was empty, for resources, which are deleted by the hundred thousand', async () => {
    await fixture.database.sql`vacuum analyze`;
    const keys = (await foreignKeys()).filter(([, table]) => table === 'resources');
    expect(keys.length).toBe(1);
    expect(await faults(keys)).toEqual([]);
  });
});
