import {
  type CatalogEpoch,
  groupOf,
  isBuiltIn,
  type PathStep,
  platformGroup,
  type Resource,
  type ResourceRef,
  StaleDefinitions,
} from '@platform/resources';
import { claimsIn, same } from './claims.ts';

/** What is stored at one moment. A committed table is never changed; a transaction works on a fork. */
export class Table {
  readonly #rows: Map<string, Resource>;
  #epoch: number;

  constructor(rows: ReadonlyMap<string, Resource> = new Map(), epoch = 0) {
    this.#rows = new Map(rows);
    this.#epoch = epoch;
  }

  /** A copy that can be written without anybody seeing it. */
  fork(): Table {
    return new Table(this.#rows, this.#epoch);
  }

  get epoch(): number {
    return this.#epoch;
  }

  /** Every row, in no particular order. */
  rows(): readonly Resource[] {
    return [...this.#rows.values()];
  }

  row(uid: string): Resource | null {
    return this.#rows.get(uid) ?? null;
  }

  /** Inserts or replaces a row. Any write of a definition moves the catalog: more than asked for, but never less. */
  put(row: Resource): Resource {
    this.#rows.set(row.uid, row);
    if (isBuiltIn('ResourceDefinition', row.apiVersion, row.kind)) this.#epoch += 1;
    return row;
  }

  /** Deletes a row. Throws when children are stored under it, as a foreign key would. */
  delete(uid: string): void {
    const row = this.row(uid);
    if (row === null) return;
    if (this.rows().some((other) => other.parentUid === uid)) throw new Error(`${uid} has children`);
    this.#rows.delete(uid);
    if (isBuiltIn('ResourceDefinition', row.apiVersion, row.kind)) this.#epoch += 1;
  }

  /** Throws when definitions have changed since `epoch`. */
  requireCurrent(epoch: CatalogEpoch): void {
    if (epoch !== null && epoch !== this.#epoch) throw new StaleDefinitions();
  }

  /** The row of that kind and name below the parent. */
  named(parentUid: string | null, step: PathStep): Resource | null {
    return this.rows().find((row) => row.parentUid === parentUid && matches(row, step)) ?? null;
  }

  /** Whether there is a collection of the row's kind. */
  #isClaimed({ apiVersion, kind }: Resource): boolean {
    const group = groupOf(apiVersion);
    return group === platformGroup || claimsIn(this.rows()).some(([, claim]) => same(claim, { group, kind }));
  }

  /** The rows along a structural path, root-most first; null when a step is missing. */
  walk(steps: readonly PathStep[]): readonly Resource[] | null {
    const found: Resource[] = [];
    for (const step of steps) {
      const row = this.named(found.at(-1)?.uid ?? null, step);
      if (row === null) return null;
      found.push(row);
    }
    return found;
  }

  /** The row that a request names. */
  find(ref: ResourceRef): Resource | null {
    if (ref.by === 'path') return this.walk(ref.steps)?.at(-1) ?? null;
    const row = this.row(ref.uid);
    if (row === null) return null;
    if (ref.by === 'orphan') return row.apiVersion === ref.apiVersion && !this.#isClaimed(row) ? row : null;
    return row.kind === ref.kind && groupOf(row.apiVersion) === ref.group ? row : null;
  }
}

/** Orders by code unit, which is byte order for the ASCII texts that are sorted here. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function matches(row: Resource, step: PathStep): boolean {
  return row.name === step.name && row.kind === step.kind && groupOf(row.apiVersion) === step.group;
}
