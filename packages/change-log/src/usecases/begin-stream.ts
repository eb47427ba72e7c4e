import { Problem } from '@platform/kernel';
import {
  ancestorMissing,
  anyName,
  type CollectionTarget,
  type DefinitionVersion,
  type GroupKind,
  type ItemTarget,
  nilUid,
  notFound,
  type PathStep,
  type ResourceRef,
} from '@platform/resources';
import type { InitialPage, ListPlace } from '../model/initial-page.ts';
import type { Scope } from '../model/scope.ts';
import type { ChangeLog } from '../ports/change-log.ts';
import type { ShownPart, StateReader } from '../ports/state-reader.ts';
import type { Stream } from './watcher.ts';

/** The dependencies of the beginning of a stream. */
export interface BeginDeps {
  readonly feed: Pick<ChangeLog, 'head' | 'parse' | 'read' | 'firstRemoved' | 'hasChanges'>;
  readonly state: StateReader;
}

/** The resources that a stream shows, and where it starts. */
export type Beginning = Pick<Stream, 'scope' | 'start'>;

/** How often a list is read until the resource above it was the same before and after. */
const attempts = 5;

/** The scopes of what the caller may see now; null for everything. They change with roles and bindings while a stream lasts. */
export type Scopes = () => readonly string[] | null;

/** The labels and fields that a stream of a collection selects. */
export type Selectors = Pick<ShownPart, 'labels' | 'fields'>;

/** A request for a stream of a collection. */
export interface CollectionStreamRequest {
  readonly target: CollectionTarget;
  /** The text of the cursor to go on from; null to begin with the state. */
  readonly cursor: string | null;
  readonly scopes: Scopes;
  readonly selectors: Selectors;
}

/** Begins a stream of a collection. Throws `not_found` when the resource above it does not exist, and what `parse` throws. */
export async function beginCollection(
  deps: BeginDeps,
  { target, cursor, scopes, selectors }: CollectionStreamRequest,
): Promise<Beginning> {
  const { state } = deps;
  const { collection } = target;
  // The stream knows what its caller may see, for as long as it lasts.
  const { access: _, ...ref } = target.ref;
  const definition = collection.definition;
  // A list across parents is bound to the resource before the first one of any name.
  const firstAny = ref.ancestors.findIndex(({ name }) => name === anyName);
  const isAcrossParents = firstAny !== -1;
  const above = isAcrossParents ? ref.ancestors.slice(0, firstAny) : ref.ancestors;
  const scope = {
    ...everything,
    kind: { group: ref.group, kind: ref.kind },
    ancestors: isAcrossParents ? ref.ancestors.map(({ name }) => (name === anyName ? null : name)) : null,
    depth: ref.ancestors.length,
  };
  if (cursor !== null) return await resume(deps, { scope, above, cursor, definition });
  return await boundToOne(deps, above, async (boundTo) => {
    const part = (): ShownPart => ({ ...selectors, scopes: scopes() });
    const first = await state.list(ref, null, definition, part());
    if (first === null) return null;
    const next = async (after: ListPlace): Promise<InitialPage> => {
      // The stream goes on when its definition changes, as it does behind the initial state; `check` ends it where it must.
      const page = await state.list(ref, after, null, part());
      // The parent is gone, and all of its children before it. The log tells the rest.
      return page ?? { items: [], more: false, cursor: first.cursor };
    };
    return { scope: { ...scope, boundTo }, start: { initial: { first, next } } };
  });
}

/**
 * Begins a stream of a collection, as {@link beginCollection} does; where the resource above does not exist, the stream shows what will be
 * below one of its name.
 */
export async function beginCollectionByNames(
  deps: BeginDeps,
  request: CollectionStreamRequest,
): Promise<Beginning> {
  // Read first, so that nothing that is created from now on is missing.
  const head = await deps.feed.head();
  try {
    return await beginCollection(deps, request);
  } catch (error) {
    if (!(error instanceof Problem && error.code === 'not_found')) throw error;
  }
  const { target, cursor } = request;
  const { group, kind, ancestors } = target.ref;
  const scope = {
    ...everything,
    kind: { group, kind },
    ancestors: ancestors.map(({ name }) => name),
    depth: ancestors.length,
  };
  if (cursor !== null) return { scope, start: { cursor: await deps.feed.parse(cursor) } };
  const first = { items: [], more: false, cursor: head };
  return { scope, start: { initial: { first, next: async () => first } } };
}

/** Begins a stream of one resource: of whatever has the name, or of the one with the uid, which must exist or have been removed since. */
export async function beginItem(
  deps: BeginDeps,
  { ref, collection }: ItemTarget & { readonly ref: Exclude<ResourceRef, { by: 'unregistered' }> },
  cursor: string | null,
): Promise<Beginning> {
  const { feed, state } = deps;
  const definition = collection?.definition ?? null;
  if (ref.by === 'uid') {
    const scope = { ...everything, kind: { group: ref.group, kind: ref.kind }, uid: ref.uid };
    const after = cursor === null ? null : await feed.parse(ownText(cursor));
    const found = await state.get(ref, definition);
    if (after === null) return { scope, start: initialItem(present(found)) };
    if (found.resource === null && !(await feed.hasChanges(after, ref.uid))) throw notFound();
    return { scope, start: { cursor: after } };
  }
  const item = ref.steps.at(-1) as PathStep;
  const above = ref.steps.slice(0, -1);
  const scope = {
    ...everything,
    kind: { group: item.group, kind: item.kind },
    name: item.name,
    depth: above.length,
  };
  if (cursor !== null) return await resume(deps, { scope, above, cursor, definition });
  return await boundToOne(deps, above, async (boundTo) => ({
    scope: { ...scope, boundTo },
    start: initialItem(await state.get(ref, definition)),
  }));
}

/** Begins a stream of every kind. */
export async function beginEverything({ feed, state }: BeginDeps, cursor: string | null): Promise<Beginning> {
  const start: Stream['start'] =
    cursor === null
      ? { initial: { first: await state.all(null), next: (after) => state.all(after) } }
      : { cursor: await feed.parse(ownText(cursor)) };
  return { scope: everything, start };
}

const everything: Scope = { kind: null, boundTo: null, name: null, uid: null, ancestors: null, depth: null };

/**
 * Goes on after a cursor. The stream is bound to the resource that was above it at the cursor, also when that is removed by now: it
 * then ends where that was.
 */
async function resume(
  { feed, state }: BeginDeps,
  request: {
    readonly scope: Scope;
    readonly above: readonly PathStep[];
    readonly cursor: string;
    readonly definition: DefinitionVersion;
  },
): Promise<Beginning> {
  const { scope, above, definition } = request;
  const cursor = await feed.parse(ownText(request.cursor));
  const { group, kind } = scope.kind as GroupKind;
  // No resource has this uid: the read only compares the version of the definition.
  await state.get({ by: 'uid', uid: nilUid, group, kind }, definition);
  if (above.length === 0) return { scope, start: { cursor } };
  const boundTo = (await feed.firstRemoved(cursor, above)) ?? (await uidAt(state, above));
  return { scope: { ...scope, boundTo }, start: { cursor } };
}

/** Reads the initial state below a resource, which must be the same before and after: a new one of that name has another uid. */
async function boundToOne(
  { state }: BeginDeps,
  above: readonly PathStep[],
  read: (boundTo: string | null) => Promise<Beginning | null>,
): Promise<Beginning> {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const boundTo = above.length === 0 ? null : await uidAt(state, above);
    const beginning = await read(boundTo);
    const isSame = boundTo === null || (await uidAt(state, above)) === boundTo;
    if (beginning !== null && isSame) return beginning;
  }
  throw new Problem('contention', 'The resource above keeps changing; try again.', { retryAfterSeconds: 1 });
}

async function uidAt(state: StateReader, steps: readonly PathStep[]): Promise<string> {
  const { resource } = await state.get({ by: 'path', steps }, null);
  if (resource === null) throw ancestorMissing();
  return ownText(resource.uid);
}

/** A copy of the text in memory of its own. V8 keeps the whole request or row alive for a part that was cut from it, as long as a stream lives. */
function ownText(text: string): string {
  return ` ${text}`.slice(1);
}

function initialItem({ resource, cursor }: Awaited<ReturnType<StateReader['get']>>): Stream['start'] {
  const first = { items: resource === null ? [] : [resource], more: false, cursor };
  return { initial: { first, next: async () => first } };
}

function present<T extends { readonly resource: unknown }>(found: T): T {
  if (found.resource === null) throw notFound();
  return found;
}
