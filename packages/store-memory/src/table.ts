import {
  type AccessGuard,
  admits,
  type CollectionRef,
  type DefinitionVersion,
  type GroupKind,
  groupOf,
  isOfKind,
  isUnrestricted,
  type KeptAnswer,
  type PathStep,
  platformGroup,
  type RequestState,
  type Resource,
  type ResourceRef,
  resourceDefinitions,
  roleBindings,
  roles,
  StaleDefinitions,
  scopesOf,
} from '@platform/resources';
import { claimOf, claimsIn, same } from './claims.ts';

/** Shared by all tables of the process, so that no version is used again after a rollback or a reset. */
let versionsMade = 0;

const dayMs = 24 * 60 * 60 * 1000;

interface KeptRequest {
  readonly bodyHash: string;
  readonly answer: KeptAnswer;
  readonly keptAt: string;
}

/** An immutable snapshot of the rows once it is committed; a transaction works on a fork. */
export class Table {
  #rows = new Map<string, Resource>();
  /** The version of each definition, by uid. */
  #versions = new Map<string, string>();
  /** The version of roles and bindings, and whether those of the first start were created. */
  #access = { version: `a${++versionsMade}`, rolesCreated: false };
  /** The answers of requests with idempotency keys. */
  #answers = new Map<string, KeptRequest>();
  #catalogVersion = `c${++versionsMade}`;

  /** A copy that can be written before it is committed. */
  fork(): Table {
    const fork = new Table();
    fork.#rows = new Map(this.#rows);
    fork.#versions = new Map(this.#versions);
    fork.#access = this.#access;
    fork.#answers = new Map(this.#answers);
    fork.#catalogVersion = this.#catalogVersion;
    return fork;
  }

  /** The state of a request. Transactions run one after the other, so it never runs at the same time. */
  answerOf(keyHash: string, now: string): RequestState {
    const kept = this.#answers.get(keyHash);
    if (kept === undefined || Date.parse(now) - Date.parse(kept.keptAt) >= dayMs) return { state: 'new' };
    return { state: 'answered', bodyHash: kept.bodyHash, answer: kept.answer };
  }

  keepAnswer(keyHash: string, request: KeptRequest): void {
    this.#answers.set(keyHash, request);
  }

  get access() {
    return this.#access;
  }

  markRolesCreated(): void {
    this.#access = { ...this.#access, rolesCreated: true };
  }

  /** Takes over what was written to a fork. */
  adopt(fork: Table): void {
    this.#rows = fork.#rows;
    this.#versions = fork.#versions;
    this.#access = fork.#access;
    this.#answers = fork.#answers;
    this.#catalogVersion = fork.#catalogVersion;
  }

  /** The version of a stored definition. */
  version(uid: string): DefinitionVersion {
    const version = this.#versions.get(uid);
    return version === undefined ? null : { uid, version };
  }

  /** The version of all definitions together. */
  get catalogVersion(): string {
    return this.#catalogVersion;
  }

  /** Every row, in no particular order. */
  rows(): readonly Resource[] {
    return [...this.#rows.values()];
  }

  row(uid: string): Resource | null {
    return this.#rows.get(uid) ?? null;
  }

  /** Inserts or replaces a row. Every write of a definition changes its version and those of the definitions below it. */
  put(row: Resource): Resource {
    const before = this.row(row.uid);
    this.#rows.set(row.uid, row);
    if (before !== null) this.#renew(before);
    this.#renew(row);
    if (before?.spec !== row.spec || before.deletionTimestamp !== row.deletionTimestamp)
      this.#renewAccess(row);
    return row;
  }

  /** Deletes a row. Throws when children are stored under it, as a foreign key would. */
  delete(uid: string): void {
    const row = this.row(uid);
    if (row === null) return;
    if (this.rows().some((other) => other.parentUid === uid)) throw new Error(`${uid} has children`);
    this.#rows.delete(uid);
    this.#renew(row);
    this.#renewAccess(row);
    this.#versions.delete(uid);
  }

  /** Gives a definition and the definitions below it new versions. */
  #renew(row: Resource): void {
    if (!isOfKind(row, resourceDefinitions)) return;
    this.#catalogVersion = `c${++versionsMade}`;
    const seen = new Set<string>();
    const renew = (uid: string, identity: GroupKind): void => {
      if (seen.has(uid)) return;
      seen.add(uid);
      this.#versions.set(uid, `v${++versionsMade}`);
      for (const [below, claim] of claimsIn(this.rows())) {
        if (claim.parent !== null && same(claim.parent, identity)) renew(below.uid, claim);
      }
    };
    renew(row.uid, claimOf(row));
  }

  /** Gives roles and bindings a new version when one of them was added, changed, deleted or removed. */
  #renewAccess(row: Resource): void {
    if (!isOfKind(row, roles) && !isOfKind(row, roleBindings)) return;
    this.#access = { ...this.#access, version: `a${++versionsMade}` };
  }

  /** Throws `StaleDefinitions` when the definition has another version. */
  requireCurrent(definition: DefinitionVersion): void {
    if (definition !== null && definition.version !== this.#versions.get(definition.uid)) {
      throw new StaleDefinitions();
    }
  }

  /** The row of that kind and name below the parent. */
  named(parentUid: string | null, step: PathStep): Resource | null {
    return this.rows().find((row) => row.parentUid === parentUid && matches(row, step)) ?? null;
  }

  /** Whether the row's kind is built in or registered. */
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

  /** The row that a reference names, if its guard admits it. */
  find(ref: ResourceRef): Resource | null {
    const row = this.locate(ref);
    if (row === null || ref.by === 'unregistered' || ref.access === undefined) return row;
    const isCurrent = ref.access.version === this.#access.version;
    return isCurrent && admits(ref.access, { ...row, within: this.within(row) }) ? row : null;
  }

  /** The uids that a row is within: its ancestors; for a RoleBinding also its scope and everything above that. */
  within(row: Resource): readonly string[] {
    return [...this.#uidsUpFrom(row.parentUid), ...this.scopeUids(row)];
  }

  /** For a RoleBinding, the uids of its scope and of everything above that. */
  scopeUids(row: Resource): readonly string[] {
    return isOfKind(row, roleBindings) ? this.#uidsUpFrom(JSON.parse(row.spec).scope?.uid ?? null) : [];
  }

  #uidsUpFrom(uid: string | null): readonly string[] {
    const row = uid === null ? null : this.row(uid);
    return row === null ? [] : [row.uid, ...this.#uidsUpFrom(row.parentUid)];
  }

  /** Whether the guard of a collection admits all its rows. */
  admitsCollection({ access }: CollectionRef, ancestors: readonly Resource[]): boolean {
    if (access === undefined) return true;
    const uids = ancestors.map(({ uid }) => uid);
    return (
      access.version === this.#access.version &&
      (isUnrestricted(access) || scopesOf(access).some((uid) => uids.includes(uid)))
    );
  }

  /** Whether a guard may admit rows of a root collection: it is current, and one of its scopes exists. */
  admitsRows(access: AccessGuard): boolean {
    const exists = isUnrestricted(access) || scopesOf(access).some((uid) => this.#rows.has(uid));
    return exists && access.version === this.#access.version;
  }

  /** Whether a guard lets a selection below these ancestors through, or a part of it where it may show parts. */
  admitsSelection(guard: AccessGuard | undefined, above: readonly Resource[], showsPart: boolean): boolean {
    if (guard === undefined) return true;
    if (guard.version !== this.#access.version) return false;
    const scopes = scopesOf(guard);
    const parent = above.at(-1);
    const isBelow = (uid: string) => {
      const row = this.row(uid);
      return row !== null && (parent === undefined || this.within(row).includes(parent.uid));
    };
    const isWhole = isUnrestricted(guard) || above.some(({ uid }) => scopes.includes(uid));
    return isWhole || (showsPart && scopes.some(isBelow));
  }

  /** The row that a reference names, whatever its guard. */
  locate(ref: ResourceRef): Resource | null {
    if (ref.by === 'path') return this.walk(ref.steps)?.at(-1) ?? null;
    const row = this.row(ref.uid);
    if (row === null) return null;
    if (ref.by === 'unregistered')
      return row.apiVersion === ref.apiVersion && !this.#isClaimed(row) ? row : null;
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
