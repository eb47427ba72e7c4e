import { builtInCollectionOf } from '../kinds/table.ts';
import { actorOf, type Caller } from '../model/caller.ts';
import { storedDefinitionSpec } from '../model/definition-spec.ts';
import type { DeletionEdge, DeletionNode } from '../model/deletion-graph.ts';
import { groupOf } from '../model/names.ts';
import { identityOf, type Resource, type ResourceIdentity } from '../model/resource.ts';
import { notFound } from '../model/target.ts';
import type { HistoryEntry } from '../ports/resource-history.ts';
import { type AddressedKind, finalizerRemedy, protectionRemedy, type Remedy } from '../rules/find-remedy.ts';
import {
  findRootCauses,
  fitTogether,
  type RootCause,
  type RootCauseKind,
} from '../rules/find-root-causes.ts';
import { seenScopes } from './history.ts';
import { getResource } from './read.ts';
import { auditIdentity, type ItemRequest, type ResourcePorts } from './request.ts';
import { shownTo } from './sealed.ts';
import { visibleTo } from './visibility.ts';

/** The most causes, owners and dependents in one explanation. */
const maxEntries = 1_000;
/** The newest changes of a live resource that its explanation shows; its history has the others. */
const maxChanges = 10;
/** The most edges that an explanation reads: a fraction of a second. */
const maxEdges = 20_000;

/** Why a tombstone is still there. */
export interface ExplainedCause {
  /** `definition_missing`: the kind of a resource that has a finalizer or is protected is not registered, so no controller can act. */
  readonly kind: RootCauseKind | 'definition_missing';
  readonly resource: ResourceIdentity;
  /** From the resource that is explained to the cause, both included. */
  readonly path: readonly ResourceIdentity[];
  readonly since: string;
  readonly detail: string;
  /** Null when nobody has to do anything but the collector, or when only a new definition helps. */
  readonly remedy: Remedy | null;
}

/** A parent, an owner or an immediate dependent. */
export interface Relative {
  readonly relationship: 'parent' | 'owner' | 'structuralChild' | 'ownerReference';
  readonly resource: ResourceIdentity;
  /** Whether an owner reference blocks the deletion of the owner; null for a parent or child. */
  readonly blockOwnerDeletion: boolean | null;
  readonly deletionTimestamp: string | null;
}

/** Why a resource is in its state. */
export type Explanation =
  | { readonly state: 'terminating'; readonly causes: readonly ExplainedCause[]; readonly truncated: boolean }
  | {
      readonly state: 'live';
      readonly owners: readonly Relative[];
      readonly dependents: readonly Relative[];
      /** The newest first. */
      readonly changes: readonly HistoryEntry[];
      readonly truncated: boolean;
    };

type Ports = Pick<ResourcePorts, 'reader' | 'history' | 'audit' | 'controllerIds' | 'sealer'>;

/** Explains why a resource is in its state. Throws `not_found`. */
export async function explainResource(ports: Ports, request: ItemRequest): Promise<Explanation> {
  const resource = await getResource(ports, request);
  const explanation =
    resource.deletionTimestamp === null
      ? await explainLive(ports, request, resource)
      : await explainTombstone(ports, request, resource);
  ports.audit.record({
    message: 'resource.explained',
    requestId: request.requestId,
    actor: actorOf(request.caller),
    ...auditIdentity(resource),
  });
  return explanation;
}

async function explainTombstone(
  ports: Ports,
  { caller }: ItemRequest,
  { uid }: Resource,
): Promise<Explanation> {
  const { reader, controllerIds } = ports;
  const graph = await reader.deletionGraph(uid, { limit: maxEdges, follow: 'holding' });
  if (graph === null) throw notFound();
  const found = findRootCauses(graph, maxEntries + 1);
  const isVisible = await visibleTo(ports, caller, uniqueIdentities(found));
  const causes = found.filter(({ node }) => isVisible(node.identity)).slice(0, maxEntries);
  const facts = await readFacts(ports, caller, causes);
  const explained = withoutRepeats(causes.flatMap((cause) => explainCause(cause, facts, controllerIds)));
  return {
    state: 'terminating',
    causes: explained.slice(0, maxEntries).map((cause) => ({ ...cause, path: cause.path.filter(isVisible) })),
    truncated:
      !graph.complete || !fitTogether(found) || found.length > maxEntries || explained.length > maxEntries,
  };
}

/** The facts that explanations of causes need. */
interface Facts {
  readonly kinds: ReadonlyMap<string, AddressedKind>;
  readonly protectedRows: ReadonlyMap<string, Resource>;
  readonly pausedSince: string | null;
}

async function readFacts(ports: Ports, caller: Caller, causes: readonly RootCause[]): Promise<Facts> {
  const { reader } = ports;
  const of = (...kinds: readonly RootCauseKind[]) => causes.filter(({ kind }) => kinds.includes(kind));
  const guarded = of('protected').map(({ node }) => node.identity.uid);
  const [definitions, rows, pausedSince] = await Promise.all([
    reader.definitionsOf(distinctKinds(of('finalizer', 'protected').map(({ node }) => node.identity))),
    reader.resources(guarded),
    of('collector', 'live_dependent').length === 0 ? null : reader.collectorPausedSince(),
  ]);
  const kinds = definitions.map(storedDefinitionSpec).map((spec) => [keyOf(spec), spec] as const);
  // In clear, because sealed values are no spec that the remedy could send.
  const shown = rows.map((row) => [row.uid, shownTo(ports, caller, row)] as const);
  return { kinds: new Map(kinds), protectedRows: new Map(shown), pausedSince };
}

function explainCause(
  cause: RootCause,
  facts: Facts,
  controllerIds: readonly string[],
): readonly ExplainedCause[] {
  const { kind, node, path, since } = cause;
  const { identity } = node;
  const common = { resource: identity, path, since };
  const detail = detailOf(cause, facts.pausedSince);
  if (kind === 'collector' || kind === 'live_dependent') return [{ ...common, kind, detail, remedy: null }];
  const groupKind = { group: groupOf(identity.apiVersion), kind: identity.kind };
  const registered = builtInCollectionOf(groupKind) ?? facts.kinds.get(keyOf(groupKind)) ?? null;
  const row = facts.protectedRows.get(identity.uid);
  const protection = row === undefined ? null : protectionRemedy(row, registered);
  const remedy =
    kind === 'finalizer'
      ? finalizerRemedy(identity, cause.finalizer ?? '', registered, controllerIds)
      : protection;
  const explained: ExplainedCause = { ...common, kind, detail, remedy };
  if (registered !== null) return [explained];
  const missing = `no definition registers ${groupKind.group}/${groupKind.kind}, so its controllers cannot act; register it again`;
  return [explained, { ...common, kind: 'definition_missing', detail: missing, remedy: null }];
}

/** Lists a missing definition once for each resource, after its first finalizer. */
function withoutRepeats(causes: readonly ExplainedCause[]): readonly ExplainedCause[] {
  const told = new Set<string>();
  return causes.filter(({ kind, resource: { uid } }) => {
    if (kind !== 'definition_missing') return true;
    const isFirst = !told.has(uid);
    told.add(uid);
    return isFirst;
  });
}

function detailOf({ kind, finalizer }: RootCause, pausedSince: string | null): string {
  const waiting =
    pausedSince === null
      ? 'has not done so yet'
      : `is paused since ${pausedSince}; run "platform collector resume"`;
  switch (kind) {
    case 'collector':
      return `nothing holds it; the collector removes it, but ${waiting}`;
    case 'live_dependent':
      return `it is still live; the collector marks it as deleted, but ${waiting}`;
    case 'finalizer':
      return `the finalizer ${finalizer} has to be removed by its controller, or by an operator`;
    case 'protected':
      return 'it is protected from deletion by an annotation; the cascade waits until the annotation is removed';
  }
}

async function explainLive(
  ports: Ports,
  { caller, target }: ItemRequest,
  resource: Resource,
): Promise<Explanation> {
  const { reader, history } = ports;
  const { uid, parentUid, ownerReferences } = resource;
  const above = [...(parentUid === null ? [] : [parentUid]), ...ownerReferences.map((owner) => owner.uid)];
  const [rows, graph, changes] = await Promise.all([
    // Attack: a resource with a thousand owners of a megabyte each.
    reader.resources([...new Set(above)].slice(0, maxEntries), { documents: false }),
    reader.deletionGraph(uid, { limit: maxEntries + 1, follow: 'all' }),
    history.entries(uid, { limit: maxChanges, before: null, scopes: seenScopes(target, resource) }),
  ]);
  if (graph === null) throw notFound();
  const immediate = graph.edges.filter(({ owner }) => owner === uid);
  const dependents = immediate.map((edge) =>
    dependentOf(edge, graph.nodes.get(edge.dependent) as DeletionNode),
  );
  const owners = rows.map((row): Relative => {
    const reference = ownerReferences.find((owner) => owner.uid === row.uid);
    return {
      relationship: row.uid === parentUid ? 'parent' : 'owner',
      resource: identityOf(row),
      blockOwnerDeletion: reference?.blockOwnerDeletion ?? null,
      deletionTimestamp: row.deletionTimestamp,
    };
  });
  const isVisible = await visibleTo(
    ports,
    caller,
    [...owners, ...dependents].map((relative) => relative.resource),
  );
  const shown = (relatives: readonly Relative[]) =>
    relatives.filter((relative) => isVisible(relative.resource));
  return {
    state: 'live',
    owners: shown(owners),
    dependents: shown(dependents).slice(0, maxEntries),
    changes,
    truncated: immediate.length > maxEntries,
  };
}

function dependentOf({ relationship, blocking }: DeletionEdge, node: DeletionNode): Relative {
  return {
    relationship,
    resource: node.identity,
    blockOwnerDeletion: relationship === 'ownerReference' ? blocking : null,
    deletionTimestamp: node.deletionTimestamp,
  };
}

function uniqueIdentities(causes: readonly RootCause[]): readonly ResourceIdentity[] {
  return [...new Map(causes.flatMap(({ path }) => path).map((one) => [one.uid, one])).values()];
}

function distinctKinds(identities: readonly ResourceIdentity[]) {
  const kinds = identities.map(({ apiVersion, kind }) => ({ group: groupOf(apiVersion), kind }));
  return [...new Map(kinds.map((one) => [keyOf(one), one])).values()];
}

function keyOf({ group, kind }: { readonly group: string; readonly kind: string }): string {
  return `${group} ${kind}`;
}
