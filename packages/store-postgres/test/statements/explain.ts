import { type Database, type Parameter, type Sql, statementsIn } from '@platform/postgres';

/** A node of a plan, as EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) shows it. Counts of rows are averages of its loops. */
export interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly 'Sort Space Type'?: 'Memory' | 'Disk';
  readonly 'Temp Written Blocks': number;
  readonly Plans?: readonly PlanNode[];
}

/** The names of the indexes of a partition of `changes`, and those of the whole table. */
const partitionIndexes: Readonly<Record<string, string>> = {
  pkey: 'changes_pkey',
  xid_seq_idx: 'changes_xid',
  uid_revision_idx: 'changes_history',
  parent_uid_kind_seq_idx: 'changes_removed',
  name_kind_idx: 'changes_removed_name',
  written_idx: 'changes_cascade',
};

/** The table of a partition, and the index of an index of one: names of partitions have dates. */
export function withoutPartition(name: string): string {
  const match = /^changes_(?:\d{8}|rest)(?:_(.+))?$/.exec(name);
  if (match === null) return name;
  return match[1] === undefined ? 'changes' : (partitionIndexes[match[1]] ?? name);
}

/** The rows and blocks of one table or index that the transaction has touched so far: by a statement, its triggers, its foreign keys. */
interface Touched {
  readonly scans: number;
  readonly pages: number;
}

/** A statement, and how the server ran it. */
export interface Explained {
  readonly text: string;
  readonly plan: PlanNode;
  /** Tables and indexes that were scanned, by the statement or on its behalf. */
  readonly scanned: readonly string[];
  /** Pages of tables and indexes that were touched, those touched twice counted twice. */
  readonly pages: number;
}

let prepared = 0;

/**
 * Runs statements as the store does, in a transaction, and keeps how the server ran each. Everything is run twice: first explained and
 * undone, then for its result. Statements are prepared, so the plan is the one that `plan_cache_mode` asks for.
 */
export class Explaining implements Sql {
  readonly explained: Explained[] = [];
  readonly #sql: Sql;
  readonly #names: Map<string, string>;
  #turn: Promise<unknown> = Promise.resolve();

  /** `names` are those of the statements that the connection has prepared already, by their texts. */
  constructor(sql: Sql, names: Map<string, string>) {
    this.#sql = sql;
    this.#names = names;
  }

  rows<Row extends readonly unknown[]>(
    text: string,
    parameters: readonly Parameter[] = [],
  ): Promise<readonly Row[]> {
    const result = this.#turn.then(async () => {
      this.explained.push(await this.#explain(text, parameters));
      const rows = await this.#sql.rows<Row>(text, parameters);
      // Deferred constraints are checked now, so that they do not count as the next statement's.
      await this.#sql.rows('set constraints all immediate');
      await this.#sql.rows('set constraints all deferred');
      return rows;
    });
    this.#turn = result.catch(() => undefined);
    return result;
  }

  async #explain(text: string, parameters: readonly Parameter[]): Promise<Explained> {
    const execute = `execute ${await this.#prepare(text)}${argumentsOf(parameters)}`;
    // A generic plan is made here; a custom one with each execution, which makes the planner look at the ends of indexes.
    await this.#sql.rows(`explain ${execute}`);
    await this.#sql.rows('savepoint explaining');
    const before = await this.#touched();
    await this.#sql.rows(`explain ${execute}`);
    const planned = await this.#touched();
    const [row] = await this.#sql.rows<readonly [string]>(
      `explain (analyze, buffers, timing off, format json) ${execute}`,
    );
    await this.#sql.rows('set constraints all immediate');
    const after = await this.#touched();
    await this.#sql.rows('rollback to savepoint explaining');
    const differences = [...after].map(([name, { scans, pages }]) => {
      const [first, second] = [before.get(name), planned.get(name)].map(
        (touched) => touched ?? { scans: 0, pages: 0 },
      );
      return {
        name,
        scans: scans - 2 * (second?.scans ?? 0) + (first?.scans ?? 0),
        pages: pages - 2 * (second?.pages ?? 0) + (first?.pages ?? 0),
      };
    });
    return {
      text,
      plan: await this.#planOf(row?.[0] ?? ''),
      scanned: differences.filter(({ scans }) => scans > 0).map(({ name }) => name),
      pages: differences.reduce((sum, { pages }) => sum + pages, 0),
    };
  }

  /** The plan, with the tables and indexes of partitions under the names of those that they are partitions of. */
  async #planOf(explained: string): Promise<PlanNode> {
    const roots = new Map(await this.#sql.rows<readonly [string, string]>(rootsText));
    const named = explained.replace(
      /("(?:Index|Relation) Name": )"([^"]+)"/g,
      (_all, member: string, name: string) => `${member}"${roots.get(name) ?? name}"`,
    );
    return JSON.parse(named)[0].Plan;
  }

  async #prepare(text: string): Promise<string> {
    const known = this.#names.get(text);
    if (known !== undefined) return known;
    prepared += 1;
    const name = `explained_${prepared}`;
    await this.#sql.rows(`prepare ${name} as ${text}`);
    this.#names.set(text, name);
    return name;
  }

  async #touched(): Promise<ReadonlyMap<string, Touched>> {
    const rows = await this.#sql.rows<readonly [string, number, number]>(touchedText);
    const touched = new Map<string, Touched>();
    for (const [name, scans, pages] of rows) {
      const known = touched.get(withoutPartition(name)) ?? { scans: 0, pages: 0 };
      touched.set(withoutPartition(name), { scans: known.scans + scans, pages: known.pages + pages });
    }
    return touched;
  }
}

const touchedText = `
  select coalesce(pg_partition_root(oid)::regclass::text, relname) as name,
    sum(pg_stat_get_xact_numscans(oid))::bigint, sum(pg_stat_get_xact_blocks_fetched(oid))::bigint
  from pg_class
  where relnamespace = (select oid from pg_namespace where nspname = current_schema()) and relkind in ('r', 'i')
  group by name`;

const rootsText = `
  select relname::text, pg_partition_root(oid)::regclass::text from pg_class
  where relispartition and relnamespace = (select oid from pg_namespace where nspname = current_schema())`;

function argumentsOf(parameters: readonly Parameter[]): string {
  if (parameters.length === 0) return '';
  return `(${parameters.map(literalOf).join(', ')})`;
}

function literalOf(value: Parameter): string {
  if (value === null) return 'null';
  if (value instanceof Uint8Array) return `'\\x${Buffer.from(value).toString('hex')}'`;
  return `'${String(value).replace(/'/g, "''")}'`;
}

/** A database inside one transaction: what would be transactions of their own are parts of it. */
export function inTransaction(sql: Sql): Database {
  return {
    ...statementsIn(sql),
    ping: async () => {},
    load: { active: 0, waiting: 0 },
    close: async () => {},
  };
}

const undone = new Error('undone');

/** Runs `work` in one transaction that is rolled back. */
export async function undoing(database: Database, work: (sql: Sql) => Promise<unknown>): Promise<void> {
  try {
    await database.transaction(async (sql) => {
      await work(sql);
      throw undone;
    });
  } catch (error) {
    if (error !== undone) throw error;
  }
}
