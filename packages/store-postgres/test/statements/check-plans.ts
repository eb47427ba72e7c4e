import { type Explained, type PlanNode, withoutPartition } from './explain.ts';
import type { Operation } from './operation.ts';

/** Tables of a handful of rows, which may be scanned: they do not grow with use. */
const smallTables: readonly string[] = [
  'access_rules', // one row
  'catalog_epoch', // one row
  'change_log', // one row
  'leases', // one row
  'pending_cascades', // one row a deletion with very many dependents, until the collector has marked them as deleted
  'oauth_signing_keys', // those of releases before extensions had keys of their own
  'platform_migrations', // one row a file of drizzle/
];

/** Rows that any statement may read and throw away. */
const handful = 10;
/** Rows that any statement may sort: the longest page. */
const page = 1_000;

/**
 * Indexes that a plan made for the values of one call may use instead: for a project of few deployments, or with few answered
 * requests, all of them are looked at. Plans that are made once, which is what the store asks for, do not.
 */
const asGoodForFew: readonly string[] = ['deployments_environment_project', 'answered_requests_expiry'];

/** The writes of triggers for rows that have labels: any statement may meet some. */
const ofLabelledRows: readonly string[] = ['resource_labels_pkey'];

/** The context in which an operation was explained. */
export interface PlanContext {
  /** Plans are made for the values of each call. */
  readonly custom?: boolean;
  /** Most of the table is tombstoned. */
  readonly tombstones?: boolean;
  /** Every index of the operation must have been used. */
  readonly exact?: boolean;
}

/** The faults in how the statements of an operation were run; [] without any. */
export function faultsOf(
  operation: Operation,
  explained: readonly Explained[],
  context: PlanContext,
): readonly string[] {
  const limits = limitsOf(operation, context);
  const costs = explained.map((one) => ({ ...costOf(one), text: one.text }));
  const faults = costs.flatMap(({ text, ...cost }) =>
    faultsOfStatement(cost, limits).map(
      (fault) => `${fault}: ${text.replace(/\s+/g, ' ').trim().slice(0, 200)}`,
    ),
  );
  if (context.exact !== true) return faults;
  const used = new Set(costs.flatMap(({ accesses }) => accesses));
  const unused = operation.indexes.filter((index) => !used.has(index));
  return [...faults, ...unused.map((index) => `does not use ${index}`)];
}

/** The cost that each statement of an operation may have. */
interface Limits {
  readonly allowed: readonly string[];
  readonly pages: number;
  readonly filtered: number;
  readonly sorted: number;
}

function limitsOf(
  operation: Operation,
  { custom = false, tombstones = false, exact = false }: PlanContext,
): Limits {
  const few = operation.filtered ?? handful;
  return {
    allowed: [
      ...operation.indexes,
      ...ofLabelledRows,
      ...(operation.alternatives ?? []),
      ...(exact ? [] : asGoodForFew),
    ],
    pages: tombstones ? (operation.pagesTombstones ?? operation.pages) : operation.pages,
    // Made for one call, a plan may look at every row of a kind that has few.
    filtered: Math.max(tombstones ? (operation.filteredTombstones ?? few) : few, custom ? 100 : 0),
    sorted: operation.sorted ?? page,
  };
}

function faultsOfStatement(cost: Cost, limits: Limits): readonly string[] {
  const faults = cost.accesses
    .filter((access) => !limits.allowed.includes(access))
    .map((access) => (access.startsWith('scan') ? access : `uses ${access}`));
  if (cost.pages > limits.pages) faults.push(`touches ${cost.pages} pages, not ${limits.pages}`);
  if (cost.filtered > limits.filtered)
    faults.push(`throws away ${cost.filtered} rows, not ${limits.filtered}`);
  if (cost.sorted > limits.sorted) faults.push(`sorts ${cost.sorted} rows, not ${limits.sorted}`);
  if (cost.spilled) faults.push('spills to disk');
  return faults;
}

/** The cost of a statement. */
interface Cost {
  /** Indexes by name, and scans of tables as `scan of <table>`; with what triggers and foreign keys did. */
  readonly accesses: readonly string[];
  readonly pages: number;
  /** Rows of tables that the statement itself read and threw away. */
  readonly filtered: number;
  /** Rows that went into the largest sort: a page that is read off an index in its order needs none, whatever is behind it. */
  readonly sorted: number;
  /** Whether anything did not fit into memory: a sort, a hash, a list. */
  readonly spilled: boolean;
}

/** Reads what a statement took off its plan and the counters of the server. */
function costOf({ plan, scanned, pages }: Explained): Cost {
  const nodes = all(plan);
  const planned = nodes.flatMap(({ 'Index Name': index }) =>
    index === undefined ? [] : [withoutPartition(index)],
  );
  const indexes = [
    ...planned,
    ...scanned.filter(
      (name) => !nodes.some((node) => withoutPartition(node['Relation Name'] ?? '') === name),
    ),
  ];
  const tables = nodes.flatMap((node) =>
    node['Node Type'].endsWith('Seq Scan') ? (node['Relation Name'] ?? []) : [],
  );
  const grown = (name: string) =>
    !smallTables.some((table) => name.replace('scan of ', '').startsWith(table));
  return {
    accesses: [...new Set([...indexes, ...tables.map((table) => `scan of ${table}`)].filter(grown))].sort(),
    pages,
    filtered: nodes.reduce((sum, node) => sum + filteredBy(node), 0),
    sorted: Math.max(0, ...nodes.filter((node) => node['Node Type'] === 'Sort').map(rowsInto)),
    spilled: nodes.some((node) => node['Sort Space Type'] === 'Disk' || node['Temp Written Blocks'] > 0),
  };
}

function all(node: PlanNode): readonly PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(all)];
}

function rowsInto({ Plans: inner = [] }: PlanNode): number {
  return inner.reduce((sum, node) => sum + Math.round(node['Actual Rows'] * node['Actual Loops']), 0);
}

function filteredBy(node: PlanNode): number {
  if (node['Relation Name'] === undefined || smallTables.includes(node['Relation Name'])) return 0;
  const each = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0);
  return Math.round(each * node['Actual Loops']);
}
