import { type GroupKind, groupOf, isOfKind, type Resource, resourceDefinitions } from '@platform/resources';

/** The part of the spec of a definition that the store uses. */
export interface Claim extends GroupKind {
  readonly plural: string;
  readonly parent: GroupKind | null;
}

/** The definitions among the rows, each with its claim. */
export function claimsIn(rows: readonly Resource[]): readonly (readonly [Resource, Claim])[] {
  return rows.filter((row) => isOfKind(row, resourceDefinitions)).map((row) => [row, claimOf(row)] as const);
}

/** Whether two kinds are the same; versions do not matter. */
export function same(a: GroupKind, b: GroupKind): boolean {
  return a.group === b.group && a.kind === b.kind;
}

/** The claim of a definition. */
export function claimOf(row: Resource): Claim {
  const { group, kind, plural, parent } = JSON.parse(row.spec);
  return {
    group,
    kind,
    plural,
    parent: parent ? { group: groupOf(parent.apiVersion), kind: parent.kind } : null,
  };
}
