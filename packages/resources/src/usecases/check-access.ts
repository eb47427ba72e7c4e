import { type AccessRules, type AccessVerb, type Grant, grantsOf, StaleAccess } from '@platform/access';
import { Problem } from '@platform/kernel';
import { guardOf } from '../model/access-guard.ts';
import type { Caller, CallerAccess } from '../model/caller.ts';
import { type Collection, selectableFields } from '../model/definition.ts';
import { selectedName } from '../model/field-selector.ts';
import { type CollectionPath, segmentOf } from '../model/path.ts';
import { isAcrossParents } from '../model/selection.ts';
import { nameIn, type ResolvedTarget, resolveTarget } from '../model/target.ts';
import type { RemovedResources } from '../ports/removed-resources.ts';
import type { PlacedRow, Reach, ResourceReader } from '../ports/resource-reader.ts';
import { restoreGrants } from './authorize-restore.ts';
import { accessOf, isRoleBindings, needsNoBinding } from './caller-access.ts';
import type { DefinitionCatalog } from './definition-catalog.ts';
import { admitsTarget, type GuardedRequest } from './reachable.ts';
import { coverageOf } from './watchable.ts';

/** Why a request is allowed: the caller is an operator, a controller that the kind lists, or named by a binding. */
export type AccessReason =
  | { readonly type: 'operator' }
  | { readonly type: 'controller' }
  | ({ readonly type: 'binding' } & Pick<Grant, 'binding' | 'role' | 'rule' | 'scope'>);

/** A path of the generic API with the part of its query that decides about access. */
export type AskedCollectionPath = CollectionPath & {
  /** The field selector of a list or a stream: rules with `resourceNames` cover a selection of one name. */
  readonly fieldSelector?: string;
};

/** A verb on a path of the generic API. */
export interface AccessQuestion {
  readonly verb: AccessVerb;
  readonly path: AskedCollectionPath;
  /** The subresource that rules must name, where no path of the generic API has it. */
  readonly subresource?: string;
}

/** The ports of the checks. */
export interface AccessCheckPorts {
  readonly catalog: DefinitionCatalog;
  readonly reader: ResourceReader;
  readonly removed: RemovedResources;
}

/**
 * Returns why the caller may use the verb on the path, or null. It is decided by the grants, the guard and the places of the request itself,
 * so the answer is the one that the request would get. A `create` of a RoleBinding is also compared with the scope in its body.
 *
 * @throws StaleAccess when roles or bindings have changed since the caller was looked up.
 */
export async function checkAccess(
  ports: AccessCheckPorts,
  caller: Caller,
  question: AccessQuestion,
): Promise<AccessReason | null> {
  if (caller.type === 'operator') return { type: 'operator' };
  return await onTarget(ports, question, async (target) => {
    const use = isReading(question.verb) ? 'read' : 'write';
    if (target !== null && needsNoBinding(caller, target.form, target.collection, use))
      return { type: 'controller' };
    const [grant] = await coveringGrants(ports, accessOf(caller), question, target);
    return grant === undefined ? null : reasonOf(grant);
  });
}

/** A subject that may use a verb on a path, and the binding that says so. */
export interface AllowedSubject {
  readonly kind: string;
  readonly name: string;
  readonly binding: string;
}

/** Lists the subjects of all bindings that allow the verb on the path, by kind, name and binding. */
export async function allowedSubjects(
  ports: AccessCheckPorts,
  rules: AccessRules,
  question: AccessQuestion,
): Promise<readonly AllowedSubject[]> {
  return await onTarget(ports, question, async (target) => {
    const grants = await coveringGrants(ports, rules, question, target);
    const allowing = new Set(grants.map(({ binding }) => binding));
    return rules.bindings
      .filter(({ name }) => allowing.has(name))
      .flatMap((binding) => {
        const subjects = binding.subjects.filter((subject) => rules.isPresent(subject));
        return subjects.map(({ kind, name }) => ({ kind, name, binding: binding.name }));
      })
      .sort((a, b) => compare(a.kind, b.kind) || compare(a.name, b.name) || compare(a.binding, b.binding));
  });
}

/** Calls `ask` with the target of the path; with null when no kind claims it, or it does not fit to the kind. */
function onTarget<T>(
  { catalog }: AccessCheckPorts,
  question: AccessQuestion,
  ask: (target: ResolvedTarget | null) => Promise<T>,
): Promise<T> {
  const { group, plural } = question.path;
  return catalog.resolve(group, plural, ({ collection }) => ask(targetOf(question, collection)));
}

function targetOf({ verb, path }: AccessQuestion, collection: Collection | null): ResolvedTarget | null {
  try {
    const target = resolveTarget(path, collection);
    if (target.form !== 'collection' || path.fieldSelector === undefined) return target;
    if (verb !== 'list' && verb !== 'watch') return target;
    const selectable = selectableFields(target.collection, target.version);
    return { ...target, selectedName: selectedName(path.fieldSelector, selectable) };
  } catch (error) {
    if (error instanceof Problem) return null;
    throw error;
  }
}

/**
 * The grants of the bindings that let the request through, or a part of what it asks for.
 *
 * Attack: somebody with thousands of bindings asks about a hundred paths. So what decides is read once for all grants, and not for each.
 */
async function coveringGrants(
  { reader, removed }: AccessCheckPorts,
  access: CallerAccess,
  { verb, path: { group, plural }, subresource }: AccessQuestion,
  target: ResolvedTarget | null,
): Promise<readonly Grant[]> {
  const { version, bindings } = access;
  if (target === null) {
    // As for the refusal of such a path: only a binding without a scope says anything about it.
    const grants = grantsOf(bindings, { verb, group, resource: plural, name: null });
    return grants.filter(({ scope, names }) => scope === null && names === null);
  }
  if (target.collection === null) return [];
  if (verb === 'restore' && target.form !== 'collection')
    return await restoreGrants({ reader, removed }, access, target);
  const segment = subresource ?? segmentOf(target.form);
  const resource = segment === null ? plural : `${plural}/${segment}`;
  const grants = grantsOf(bindings, { verb, group, resource, name: nameIn(target) });
  if (grants.length === 0) return [];
  const reach = await reader.reach(target.ref);
  if (reach.version !== version) throw new StaleAccess();
  const places = placesOfScopes(reader, grants);
  const covering: Grant[] = [];
  for (const grant of grants) {
    if (await covers(places, { target, guard: guardOf(version, [grant]) }, reach, verb)) covering.push(grant);
  }
  return covering;
}

type Places = Pick<ResourceReader, 'places'>;

/** The places of the scopes of all grants, which are read when the first of them is asked for. */
function placesOfScopes(reader: Places, grants: readonly Grant[]): Places {
  let reading: Promise<ReadonlyMap<string, PlacedRow>> | null = null;
  const read = async () => {
    const scopes = new Set(grants.flatMap(({ scope }) => scope ?? []));
    return new Map((await reader.places([...scopes])).map((row) => [row.uid, row]));
  };
  return {
    async places(uids) {
      reading ??= read();
      const rows = await reading;
      return uids.flatMap((uid) => rows.get(uid) ?? []);
    },
  };
}

/** Whether the guard lets the request through, or a part of what it asks for. */
async function covers(
  reader: Places,
  request: Omit<GuardedRequest, 'caller'>,
  reach: Reach,
  verb: AccessVerb,
): Promise<boolean> {
  const { target, guard } = request;
  const seesPart =
    verb === 'watch' || (verb === 'list' && 'ancestors' in target.ref && isAcrossParents(target.ref));
  // A new binding is authorized in the scope that its body names, so a caller who has a scope may create some.
  const isNewBinding = verb === 'create' && target.collection !== null && isRoleBindings(target.collection);
  if (isNewBinding) return await admitsTarget(reader, request, reach, 'list');
  if (seesPart && 'ancestors' in target.ref)
    return (await coverageOf(reader, guard, reach, target.ref)) !== 'none';
  return await admitsTarget(reader, request, reach, verb);
}

function reasonOf({ binding, role, rule, scope }: Grant): AccessReason {
  return { type: 'binding', binding, role, rule, scope };
}

function isReading(verb: AccessVerb): boolean {
  return verb === 'get' || verb === 'list' || verb === 'watch';
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
