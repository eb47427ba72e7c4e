import type { AccessRulesCache } from '@platform/access';
import { beginCollection, beginItem, type Scopes } from '@platform/change-log';
import { Problem } from '@platform/kernel';
import {
  type AccessGuard,
  admits,
  type CollectionTarget,
  type DefinitionCatalog,
  type ItemTarget,
  isAcrossParents,
  isUnrestricted,
  parsePath,
  type ResourcePorts,
  requireWatchable,
  resolveTarget,
  scopesOf,
  selectableFields,
  withAccess,
} from '@platform/resources';
import type { Principal } from '@platform/tokens';
import type { Answer } from '../../endpoint/answer.ts';
import type { Call } from '../../endpoint/call.ts';
import { actorOfPrincipal } from '../../http/audit.ts';
import { parseWatch } from '../watch/parameters.ts';
import { type StreamRequest, streamAnswer, type WatchService } from '../watch/stream-answer.ts';
import { identityOfPrincipal } from './call.ts';

/** The dependencies of a watch of resources. */
interface WatchDeps {
  readonly catalog: DefinitionCatalog;
  readonly watch: WatchService;
  readonly readingControllers: ReadonlySet<string>;
  readonly access: AccessRulesCache;
  readonly ports: Pick<ResourcePorts, 'reader'>;
}

const prefix = '/api/v1/resources/';

/** Streams the changes of a collection or an item; null when the query does not ask for it. */
export function watchTarget(
  deps: WatchDeps,
  call: Call,
  target: CollectionTarget | ItemTarget,
): Promise<Answer> | null {
  const selectable = target.collection === null ? [] : selectableFields(target.collection, target.version);
  const parameters = parseWatch(call.searchParams, call.headers, selectable);
  if (parameters === null) return null;
  const { type, id } = actorOfPrincipal(call.context.principal);
  const visible = streamVisibility(deps, target, call.context.principal, call.path);
  return streamAnswer(deps.watch, call, {
    parameters,
    caller: `${type}:${id}`,
    version: target.version,
    sees: visible.sees,
    check: visible.check,
    begin(cursor) {
      if (target.form === 'collection') {
        return beginCollection(deps.watch, {
          target,
          cursor,
          scopes: visible.scopes,
          selectors: parameters.selectors,
        });
      }
      return beginItem(deps.watch, { ...target, ref: registeredRef(target) }, cursor);
    },
  });
}

/** The part of a target that a caller may see: it changes with roles and bindings, and the stream goes on. `path` is that of the target. */
export function streamVisibility(
  deps: WatchDeps,
  target: CollectionTarget | ItemTarget,
  principal: Principal | null,
  path: string,
): Pick<StreamRequest, 'sees' | 'check'> & { readonly scopes: Scopes } {
  let guard = target.shown ?? null;
  // Everything that is below a parent in the scope is in the scope.
  const hasParts =
    'ancestors' in target.ref && (target.ref.ancestors.length === 0 || isAcrossParents(target.ref));
  return {
    sees: ({ uid, name, ancestorUids }, scopeUids) =>
      guard === null || admits(guard, { uid, name, within: [...ancestorUids, ...scopeUids] }),
    scopes: () => (hasParts && guard !== null && !isUnrestricted(guard) ? scopesOf(guard) : null),
    async check() {
      guard = await checkAgain(deps, principal, path, target);
    },
  };
}

/** A kind that is not registered has no definition that could say who may watch it for how long. */
function registeredRef({ ref }: ItemTarget): Exclude<ItemTarget['ref'], { by: 'unregistered' }> {
  if (ref.by !== 'unregistered') return ref;
  throw new Problem('not_found', 'A resource of a kind that is not registered cannot be watched.');
}

/** Resolves the path again, throws what a new request would be refused with, and returns the guard of what the caller may see now. */
async function checkAgain(
  { catalog, access, ports, ...deps }: WatchDeps,
  principal: Principal | null,
  rawPath: string,
  target: CollectionTarget | ItemTarget,
): Promise<AccessGuard | null> {
  const path = parsePath(rawPath.slice(prefix.length));
  if (path.form === 'pendingDeletion') return null;
  catalog.forget(path.group, path.plural);
  const identity = identityOfPrincipal(principal, deps.readingControllers);
  const selected = target.form === 'collection' ? { selectedName: target.selectedName } : {};
  return await withAccess(access, identity, (caller) =>
    catalog.resolve(path.group, path.plural, (view) => {
      const resolved = resolveTarget(path, view.collection);
      if (resolved.form !== 'collection') registeredRef(resolved);
      return requireWatchable(ports.reader, caller, { ...resolved, ...selected });
    }),
  );
}
