import { openDatabase, pendingMigrations, readMigrations, type Sql } from '@platform/postgres';
import { surroundingChecks } from './around.ts';
import type { BrokenRow, Check } from './check.ts';
import { definitionChecks } from './definitions.ts';
import { rowChecks } from './rows.ts';
import { schemaChecks } from './schema.ts';
import { structureChecks } from './structure.ts';
import { tombstoneChecks } from './tombstones.ts';

/** Every invariant that is checked, in the order of the report. */
export const checks: readonly Check[] = [
  ...structureChecks,
  ...rowChecks,
  ...tombstoneChecks,
  ...definitionChecks,
  ...surroundingChecks,
  ...schemaChecks,
];

/** An invariant that some rows break. */
export interface Finding {
  readonly check: string;
  readonly invariant: string;
  /** At most as many as requested. */
  readonly rows: readonly BrokenRow[];
  /** Whether there are more rows. */
  readonly more: boolean;
}

/** Which rows a check treats as work in progress, and how many findings it reports. */
export interface FsckOptions {
  readonly url: string;
  /** How long a tombstone may wait for the collector, in seconds. */
  readonly graceSeconds?: number;
  /** Rows named per invariant, at most. */
  readonly limit?: number;
}

/** Longer than any of these statements takes on a database in use. */
const timeoutMs = 3_600_000;

/**
 * Runs every invariant over one snapshot of the database, in a transaction that cannot write. An empty answer means that all hold.
 * @throws StorageUnavailable when the database cannot be reached, Error when it is not migrated.
 */
export async function fsck({
  url,
  graceSeconds = 300,
  limit = 100,
}: FsckOptions): Promise<readonly Finding[]> {
  const database = openDatabase({
    url,
    poolMax: 1,
    applicationName: 'platform-fsck',
    readTimeoutMs: timeoutMs,
    writeTimeoutMs: timeoutMs,
    acceptStandby: true,
  });
  try {
    const pending = await pendingMigrations(database, await readMigrations());
    if (pending.length > 0) {
      const more = pending.length > 1 ? ` and ${pending.length - 1} more` : '';
      throw new Error(`the database lacks migrations: ${pending[0]}${more}`);
    }
    return await database.transaction((sql) => inSnapshot(sql, graceSeconds, limit));
  } finally {
    await database.close();
  }
}

async function inSnapshot(sql: Sql, graceSeconds: number, limit: number): Promise<readonly Finding[]> {
  await sql.rows('set transaction isolation level repeatable read, read only');
  // These read whole tables, which the sessions of the service never do.
  await sql.rows('set local enable_seqscan = on');
  // A role that has it on for its dumps gets each name of the schema in quotes, unlike `drizzle/schema.sql`.
  await sql.rows('set local quote_all_identifiers = off');
  const findings: Finding[] = [];
  for (const check of checks) {
    const rows = await broken(sql, check, graceSeconds, limit + 1);
    if (rows.length === 0) continue;
    const { name, invariant } = check;
    findings.push({ check: name, invariant, rows: rows.slice(0, limit), more: rows.length > limit });
  }
  return findings;
}

async function broken(
  sql: Sql,
  check: Check,
  graceSeconds: number,
  limit: number,
): Promise<readonly BrokenRow[]> {
  if ('find' in check) return (await check.find(sql)).slice(0, limit);
  const rows = await sql.rows<readonly [string, string]>(
    `select id::text, what from (${check.text}) as broken(id, what), (select $1::float8) as grace
     order by id, what limit $2::int`,
    [graceSeconds, limit],
  );
  return rows.map(([id, what]) => ({ id, what }));
}

/** The findings of fsck, for a person: each broken invariant with its rows below. */
export function fsckReport(findings: readonly Finding[]): string {
  if (findings.length === 0) return 'every invariant holds\n';
  const parts = findings.map(({ check, invariant, rows, more }) => {
    const lines = rows.map(({ id, what }) => `  ${id}  ${what}\n`).join('');
    return `${check}: ${invariant}\n${lines}${more ? '  and more\n' : ''}`;
  });
  return parts.join('');
}
