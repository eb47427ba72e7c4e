import { type Fault, invalid, Problem } from '@platform/kernel';
import { z } from 'zod';
import { type GroupKind, maxParentChain, platformGroup } from '../model/definition.ts';
import { type DefinitionSpec, definitionSpec } from '../model/definition-spec.ts';
import { groupOf, versionOf } from '../model/names.ts';
import { requireValid } from './validate-body.ts';

/** The plurals of the platform's own resources, which no definition may use. */
const reservedPlurals: ReadonlySet<string> = new Set([
  'organizations',
  'projects',
  'users',
  'useridentities',
  'controllers',
  'controllertrustpolicies',
  'groups',
  'groupmemberships',
  'serviceaccounts',
  'serviceaccounttrustpolicies',
  'teams',
  'environments',
  'deployments',
  'resourcedefinitions',
  'roles',
  'rolebindings',
  'subscriptions',
  'namespaces',
  'secrets',
  'configmaps',
  'leases',
  'events',
  'customresourcedefinitions',
]);

/** The other definitions that a new or changed definition must be consistent with. */
export interface RelatedDefinitions {
  /** Specs of other definitions that claim the plural, or the group and kind. */
  readonly claimants: readonly GroupKindPlural[];
  /** The parent kind and its ancestors, nearest first; null when the parent has no definition, [] for a root-scoped kind. */
  readonly parentChain: readonly GroupKind[] | null;
  /** The versions that the parent kind declares; null when there is no parent, or an edit keeps it as it is stored. */
  readonly parentVersions: readonly string[] | null;
  readonly parentTerminating: boolean;
  /** The longest chain of definitions below this one; 0 for a new definition. */
  readonly heightBelow: number;
  /** The parent kind of resources that SQL left without a definition, null at the root; undefined when there are none, or an edit keeps the kind. */
  readonly parentOfInstances: GroupKind | null | undefined;
}

/** The names that only one definition may have. */
export interface GroupKindPlural extends GroupKind {
  readonly plural: string;
}

/** Validates `spec` by its form. Its schemas and the other definitions are checked later. Throws `validation_failed`. */
export function validateDefinitionSpec(spec: unknown): DefinitionSpec {
  return requireValid(definitionSpec, spec, '/spec');
}

/** The part of a spec that claims names; it may have faults. */
const claimed = z.object({
  group: z.string().optional().catch(undefined),
  plural: z.string().optional().catch(undefined),
});

/** Validates the name of the definition, and that it claims nothing reserved. An edit may keep a plural that was reserved later. */
export function validateDefinitionIdentity(
  name: string,
  spec: unknown,
  storedPlural: string | null = null,
): void {
  const { group, plural } = claimed.safeParse(spec).data ?? {};
  const faults: Fault[] = [];
  if (group === platformGroup) faults.push({ path: '/spec/group', message: `${platformGroup} is reserved` });
  if (plural !== undefined && reservedPlurals.has(plural) && plural !== storedPlural)
    faults.push({ path: '/spec/plural', message: `${plural} is reserved` });
  if (group !== undefined && plural !== undefined && name !== `${plural}.${group}`) {
    faults.push({ path: '/metadata/name', message: `must be <plural>.<group>: ${plural}.${group}` });
  }
  if (faults.length > 0) throw invalid(faults);
}

/** Validates a definition against the others: unique, below an existing parent, without a cycle, not too deep. */
export function validateDefinitionPlace(spec: DefinitionSpec, related: RelatedDefinitions): void {
  validateParent(spec, related);
  const isNamed = related.claimants.some(
    ({ group, plural }) => group === spec.group && plural === spec.plural,
  );
  if (isNamed) {
    throw new Problem('already_exists', `A definition named ${spec.plural}.${spec.group} exists already.`);
  }
  // At most one definition has the plural, and one the group and kind; they differ, since one with both would have the name.
  const taken = related.claimants.map((other) => {
    const names =
      other.plural === spec.plural ? `plural ${spec.plural}` : `kind ${spec.kind} of ${spec.group}`;
    return `The ${names} belongs to the definition ${other.plural}.${other.group}.`;
  });
  if (taken.length > 0) throw new Problem('definition_conflict', taken.join(' '));
  validateParentOfInstances(spec, related);
}

/** Refuses another parent than that of the resources that are there: no path would name them, and no edit could correct it. */
function validateParentOfInstances(spec: DefinitionSpec, { parentOfInstances }: RelatedDefinitions): void {
  if (parentOfInstances === undefined) return;
  const stored = parentOfInstances === null ? '' : `${parentOfInstances.group} ${parentOfInstances.kind}`;
  if (stored === parentOf(spec)) return;
  const place = stored === '' ? 'without a parent' : `below ${stored}`;
  throw immutable(
    ['parent'],
    `must stay the same: resources of the kind are stored ${place}`,
    `Resources of the kind are stored ${place}; register it that way again.`,
  );
}

function immutable(
  fields: readonly string[],
  message: string,
  detail = `${fields.join(', ')} ${message}.`,
): Problem {
  const errors = fields.map((field) => ({ path: `/spec/${field}`, message }));
  return new Problem('definition_immutable', detail, { errors });
}

/** Throws when no definition declares the parent. */
export function validateParentExists(
  { parent }: Pick<DefinitionSpec, 'parent'>,
  { parentChain, parentVersions }: Pick<RelatedDefinitions, 'parentChain' | 'parentVersions'>,
): void {
  if (parent == null) return;
  const { apiVersion, kind } = parent;
  if (parentChain === null) {
    throw parentFault(
      groupOf(apiVersion) === platformGroup
        ? `of the built-in kinds only those at the root can be a parent, not ${kind}`
        : `no definition of ${apiVersion} ${kind} exists`,
    );
  }
  if (parentVersions?.includes(versionOf(apiVersion)) === false)
    throw parentFault(`${kind} has no version ${apiVersion}`);
}

function parentFault(message: string): Problem {
  return invalid([{ path: '/spec/parent', message }]);
}

function validateParent(spec: DefinitionSpec, related: RelatedDefinitions): void {
  validateParentExists(spec, related);
  const { parentChain, parentTerminating, heightBelow } = related;
  const isSelf = (other: GroupKind) => other.group === spec.group && other.kind === spec.kind;
  const namesItself =
    spec.parent != null && isSelf({ group: groupOf(spec.parent.apiVersion), kind: spec.parent.kind });
  const chain = parentChain ?? [];
  if (namesItself || chain.some(isSelf)) throw parentFault('the parents would form a cycle');
  if (chain.length + heightBelow > maxParentChain)
    throw parentFault(`the chain of parents would be deeper than ${maxParentChain}`);
  if (parentTerminating)
    throw new Problem('definition_terminating', 'The definition of the parent is being deleted.');
}

/** How a definition is used. */
export interface DefinitionUse {
  /** Rows by stored `apiVersion`, tombstoned ones included, up to {@link maxCountedInstances} of each version. */
  readonly instances: ReadonlyMap<string, number>;
  /** The longest chain of definitions that name this one as parent. */
  readonly heightBelow: number;
}

/** The most instances that are counted of one version: an edit blocks the writes of the kind meanwhile. */
export const maxCountedInstances = 10_000;

/** Whether an edit is only allowed without instances, or without instances of some version. Most edits are not. */
export function dependsOnInstances(stored: DefinitionSpec, wanted: DefinitionSpec): boolean {
  const kept = new Set(wanted.versions.map(({ name }) => name));
  return identityChanges(stored, wanted).length > 0 || stored.versions.some(({ name }) => !kept.has(name));
}

/** Validates an edit: the identity is fixed while the kind is in use, and a version with rows cannot be removed. */
export function validateDefinitionEdit(
  stored: DefinitionSpec,
  wanted: DefinitionSpec,
  use: DefinitionUse,
): void {
  const changed = identityChanges(stored, wanted);
  if (changed.length > 0 && use.instances.size > 0) {
    throw immutable(changed, 'cannot change while resources of the kind are stored');
  }
  if (changed.some((field) => field === 'group' || field === 'kind') && use.heightBelow > 0) {
    throw immutable(changed, 'cannot change while another definition names it as parent');
  }
  const kept = new Set(wanted.versions.map(({ name }) => `${stored.group}/${name}`));
  const lost = [...use.instances].filter(([apiVersion]) => !kept.has(apiVersion));
  if (lost.length > 0) {
    const counts = lost.map(([apiVersion, rows]) => `${countText(rows)} at ${apiVersion}`).join(', ');
    const rows = lost.reduce((sum, [, count]) => sum + count, 0);
    throw new Problem(
      'version_in_use',
      `Resources are still stored at a version that would be removed: ${counts}.`,
      { members: { rows } },
    );
  }
}

/** Refuses to delete a definition that is in use. */
export function validateDefinitionDeletion(use: DefinitionUse): void {
  const rows = [...use.instances.values()].reduce((sum, count) => sum + count, 0);
  if (rows > 0)
    throw new Problem(
      'definition_in_use',
      `${countText(rows)} resource(s) of the kind exist, including those that are being deleted.`,
      { members: { rows } },
    );
  if (use.heightBelow > 0) throw new Problem('definition_in_use', 'Another definition names it as parent.');
}

function countText(rows: number): string {
  return rows >= maxCountedInstances ? `at least ${rows}` : String(rows);
}

function identityChanges(stored: DefinitionSpec, wanted: DefinitionSpec): string[] {
  return [
    ...(stored.group === wanted.group ? [] : ['group']),
    ...(stored.kind === wanted.kind ? [] : ['kind']),
    ...(stored.plural === wanted.plural ? [] : ['plural']),
    ...(parentOf(stored) === parentOf(wanted) ? [] : ['parent']),
  ];
}

/** The group and kind of the parent; empty at the root. */
function parentOf({ parent }: DefinitionSpec): string {
  return parent == null ? '' : `${groupOf(parent.apiVersion)} ${parent.kind}`;
}
