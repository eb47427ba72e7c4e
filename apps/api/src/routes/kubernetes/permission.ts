import { accessVerbs } from '@platform/access';
import { Problem } from '@platform/kernel';
import {
  accessDenied,
  type Caller,
  type CollectionPath,
  checkAccess,
  withConfirmedAccess,
} from '@platform/resources';
import { identityOfPrincipal } from '../resources/call.ts';
import { ancestorNames, harmless } from './native-call.ts';
import { type KubernetesDeps, type ObjectRequest, verbOf } from './object-request.ts';

/** Runs with the caller and what bindings grant it now: what is asked here reports access, and no statement may compare it. */
export function asCaller<T>(
  deps: KubernetesDeps,
  call: ObjectRequest['call'],
  ask: (caller: Caller) => Promise<T>,
): Promise<T> {
  return withConfirmedAccess(
    deps.access,
    identityOfPrincipal(call.context.principal, deps.readingControllers),
    ask,
  );
}

/**
 * The refusal that the caller gets instead of this one: authorization comes before faults of the query and the body, as in Kubernetes.
 *
 * Attack: somebody without access learns from the faults of a body which kinds are stored how, and which rules their schemas have.
 */
export async function refusalOf(
  deps: KubernetesDeps,
  request: ObjectRequest,
  refusal: unknown,
): Promise<unknown> {
  const isFault = refusal instanceof Problem && refusal.status < 500 && ![401, 403].includes(refusal.status);
  if (!isFault) return refusal;
  return await asCaller(deps, request.call, async (caller) =>
    (await mayUse(deps, caller, request)) ? refusal : accessDenied(caller),
  );
}

async function mayUse(deps: KubernetesDeps, caller: Caller, { kind, path, query, call }: ObjectRequest) {
  const asked = verbOf(call.method, path, query);
  return await allows(deps, caller, {
    group: kind.stored.group,
    plural: kind.stored.plural,
    namespace: path.namespace,
    name: path.name,
    // A collection is listed before what is in it is deleted.
    verb: asked === 'deletecollection' ? 'list' : asked,
    subresource: path.subresource,
  });
}

/** A use of objects of a kind, by its names in the resource API. */
export interface AskedUse {
  readonly verb: string;
  readonly group: string;
  readonly plural: string;
  /** Null for every namespace, and for kinds without one. */
  readonly namespace: string | null;
  readonly name: string | null;
  readonly subresource: string | null;
}

/** Whether bindings allow it: the answer of `access/check` to the path of the same request in the resource API. */
export async function allows(deps: KubernetesDeps, caller: Caller, asked: AskedUse): Promise<boolean> {
  if (caller.type === 'operator') return true;
  const { group, plural, namespace, name, subresource } = asked;
  const verb = accessVerbs.find((one) => one === asked.verb);
  if (verb === undefined) return false;
  const { catalog, ports } = deps;
  // The other subresources are views of the item, which paths of the resource API do not have.
  const isPath = subresource === null || subresource === 'status';
  const path = await catalog.resolve(group, plural, async ({ collection }): Promise<CollectionPath> => {
    // For a kind that does not exist, only a binding without a scope counts.
    if (collection === null) return { form: 'names', group, version: '', plural, names: [] };
    const version = collection.versions.find(({ storage }) => storage)?.name ?? '';
    const names = [
      ...ancestorNames(namespace, collection.ancestors?.length ?? 0),
      ...[name].flatMap((one) => (one === null ? [] : harmless(one))),
      ...(isPath && subresource !== null ? [subresource] : []),
    ];
    return { form: 'names', group, version, plural, names };
  });
  const { reader, removed } = ports;
  const question = isPath ? { verb, path } : { verb, path, subresource };
  return (await checkAccess({ reader, removed, catalog }, caller, question)) !== null;
}
