import type { Precondition } from '@platform/kernel';
import { ancestorsOfNamespace, type KubernetesKind, kubernetesSlot } from '@platform/kubernetes';
import { type JsonText, parseDocument, type SlotCheck, withAccess } from '@platform/resources';
import type { Answer } from '../../endpoint/answer.ts';
import type { Call } from '../../endpoint/call.ts';
import {
  bodyLimitFor,
  identityOfPrincipal,
  type PatchBody,
  type Presentation,
  type ResourceCall,
  type Translation,
} from '../resources/call.ts';
import { dispatch, prefix } from '../resources/dispatch.ts';
import { type ResourceDeps, requestParts } from '../resources/index.ts';

/** A request to the resource API that a request of Kubernetes amounts to. */
export interface NativeRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly kind: KubernetesKind;
  /** Null for every namespace. */
  readonly namespace: string | null;
  readonly name?: string | null;
  readonly subresource?: 'status' | 'history';
  readonly query?: Readonly<Record<string, string | null>>;
  readonly body?: JsonText;
  readonly patch?: PatchBody;
  readonly precondition?: Precondition | null;
  readonly answers?: Presentation;
  readonly watch?: ResourceCall['watch'];
  /** The check of the status that a write sends. */
  readonly checkStatus?: SlotCheck;
  readonly managedStatus?: Translation['managed'];
  /** The subresource that rules must name, of a request that is one of the whole resource in the resource API. */
  readonly authorizedAs?: string;
}

/** Runs a request of Kubernetes as what it is in the resource API: with the same checks, and the same access. */
export async function runNative(deps: ResourceDeps, call: Call, request: NativeRequest): Promise<Answer> {
  const bodyLimitBytes = bodyLimitFor(nativePath(request), deps.bodyLimitBytes);
  const parts = { ...requestParts(deps, call), ...partsOf(request), bodyLimitBytes };
  const identity = identityOfPrincipal(call.context.principal, deps.readingControllers);
  return await withAccess(deps.access, identity, (caller) => dispatch(deps.catalog, { ...parts, caller }));
}

function partsOf(request: NativeRequest): Partial<ResourceCall> {
  const {
    method,
    query = {},
    body,
    patch,
    precondition = null,
    answers,
    watch,
    checkStatus,
    managedStatus,
    authorizedAs,
  } = request;
  const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== null);
  const search = new URLSearchParams(given);
  return {
    method,
    path: nativePath(request),
    rawQuery: search.toString(),
    query: () => search,
    precondition: () => precondition,
    matched: () => undefined,
    idempotencyKey: () => null,
    watch: watch ?? (() => null),
    bodyText: async () => body ?? '',
    // A translated PUT has its body in the patch, and one that is a dry run reads this as well.
    body: async () => parseDocument(body ?? '{}'),
    patch: async () => patch ?? { format: 'merge', document: '{}' },
    ...(answers === undefined ? {} : { answers }),
    translation: {
      sharedSlot: kubernetesSlot,
      checkSlot: checkStatus,
      managed: managedStatus,
      subresource: authorizedAs,
    },
  };
}

/** The path in the resource API. */
export function nativePath({ method, kind, namespace, name = null, subresource }: NativeRequest): string {
  const { group, plural } = kind.stored;
  // Whatever version a client writes is stored at that of the definition, without conversion.
  const version = method === 'GET' && kind.form === 'resource' ? kind.version : kind.stored.version;
  const names = [
    ...ancestorNames(namespace, kind.depth),
    ...(name === null ? [] : [harmless(name)]),
    ...(subresource === undefined ? [] : [subresource]),
  ];
  return [prefix, group, version, plural, ...names.map(encodeURIComponent)].join('/');
}

/** A name that no resource has. */
const noName = '.';

/**
 * The names of the ancestors that a namespace has. One that cannot be that of the kind has none that exist.
 *
 * Attack: `-` and `uid:` mean something else in paths of the resource API.
 */
export function ancestorNames(namespace: string | null, depth: number): readonly string[] {
  if (namespace === null) return Array<string>(depth).fill('-');
  const names = ancestorsOfNamespace(namespace);
  if (depth === 0) return [];
  return names.length === depth ? names.map(harmless) : Array<string>(depth).fill(noName);
}

/** The name, or one that no resource has. */
export function harmless(name: string): string {
  return name === '' || name === '-' || name.startsWith('uid:') || /\p{Cc}/u.test(name) ? noName : name;
}
