import { groupOf, versionOf } from '../model/names.ts';
import type { Resource, ResourceIdentity } from '../model/resource.ts';
import { ownerOf } from './finalizers.ts';

/** The part of a definition, or of a built-in kind, that says where its resources are addressed and who writes their finalizers. */
export interface AddressedKind {
  readonly plural: string;
  readonly versions: readonly {
    readonly name: string;
    readonly served: boolean;
    readonly storage: boolean;
  }[];
  readonly allowedStatusControllerIds: readonly string[];
}

/** Where a request for a resource goes: a path by UID of its collection. */
export interface ResourceAddress {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly uid: string;
}

/** Who has to act. */
export type RemedyActor =
  | { readonly type: 'operator' }
  | { readonly type: 'controller'; readonly id: string };

/** The change that ends a cause, and who may make it. */
export type Remedy =
  | {
      readonly do: 'removeFinalizer';
      readonly finalizer: string;
      readonly at: ResourceAddress;
      readonly by: RemedyActor;
    }
  | {
      readonly do: 'removeProtection';
      readonly row: Resource;
      readonly at: ResourceAddress;
      readonly by: RemedyActor;
    };

/** No collection has this plural in a path of an unregistered kind, where it may be any. */
const anyPlural = 'unregistered';

/** The address of a resource; `kind` is null when its kind is not registered. It is then found at its stored version only. */
function addressOf({ apiVersion, uid }: ResourceIdentity, kind: AddressedKind | null): ResourceAddress {
  const [group, stored] = [groupOf(apiVersion), versionOf(apiVersion)];
  if (kind === null) return { group, version: stored, plural: anyPlural, uid };
  const served = kind.versions.filter((version) => version.served);
  const version = served.find(({ storage }) => storage) ?? served[0];
  return { group, version: version?.name ?? stored, plural: kind.plural, uid };
}

/** How a finalizer is removed: by its controller, or by an operator when no configured controller may. */
export function finalizerRemedy(
  identity: ResourceIdentity,
  finalizer: string,
  kind: AddressedKind | null,
  controllerIds: readonly string[],
): Remedy {
  const id = ownerOf(finalizer, controllerIds);
  const acts = id !== null && kind?.allowedStatusControllerIds.includes(id) === true;
  return {
    do: 'removeFinalizer',
    finalizer,
    at: addressOf(identity, kind),
    by: acts ? { type: 'controller', id } : { type: 'operator' },
  };
}

/** How a protection is removed; null when the resource cannot be replaced, because its kind or the version of its writes cannot be addressed. */
export function protectionRemedy(row: Resource, kind: AddressedKind | null): Remedy | null {
  if (kind?.versions.some(({ served, storage }) => served && storage) !== true) return null;
  return { do: 'removeProtection', row, at: addressOf(row, kind), by: { type: 'operator' } };
}
