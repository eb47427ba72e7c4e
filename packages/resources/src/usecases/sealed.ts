import { invalid, type Sealer } from '@platform/kernel';
import type { Caller } from '../model/caller.ts';
import type { GroupKind } from '../model/definition.ts';
import { groupOf } from '../model/names.ts';
import type { JsonText, Resource } from '../model/resource.ts';
import {
  keptLostValues,
  openSpec,
  openSpecForWrite,
  sealedMemberIn,
  sealedMemberOf,
  sealSpec,
  withoutMember,
} from '../model/sealed-spec.ts';
import { accessDenied } from '../rules/access.ts';
import { sees } from './visibility.ts';

interface Ports {
  readonly sealer: Sealer;
}

/** A stored resource with its sealed values in clear: for a copy of it, never for an answer. */
export function opened({ sealer }: Ports, resource: Resource): Resource {
  const member = sealedMemberIn(resource);
  return member === null ? resource : { ...resource, spec: openSpec(sealer, resource, member) };
}

/** As {@link opened}, for a change of the resource: it may replace values that no configured key opens. */
export function openedForWrite({ sealer }: Ports, resource: Resource): Resource {
  const member = sealedMemberIn(resource);
  return member === null ? resource : { ...resource, spec: openSpecForWrite(sealer, resource, member) };
}

/**
 * The same for a replacement that the caller wrote. Values that the caller may not read stay sealed, so all that it writes counts as changed.
 *
 * Attack: somebody who may `update` Secrets but not `get` them guesses a value in dry runs: the right one keeps the generation and the
 * sealed text, and is the only one that an immutable Secret accepts.
 */
export function openedForReplacement(ports: Ports, caller: Caller, stored: Resource): Resource {
  return mayReadValues(caller, stored) ? openedForWrite(ports, stored) : stored;
}

/** Throws `validation_failed` for a write that keeps values that no configured key opens. */
export function requireNoLostValues(
  written: JsonText,
  before: { readonly open: Resource; readonly stored: Resource },
): void {
  const member = sealedMemberIn(before.stored);
  // Values that stayed sealed cannot be kept: their sealed text is no value.
  if (member === null || before.open === before.stored) return;
  const specs = { open: before.open.spec, stored: before.stored.spec };
  const message = 'is sealed with an encryption key that is no longer configured: write the value again';
  const faults = keptLostValues(written, specs, member).map((at) => ({ path: `/spec/${at}`, message }));
  if (faults.length > 0) throw invalid(faults);
}

/** The spec of a write as it is stored; `before` is the row that it replaces, as it is stored and opened. */
export function specToStore(
  { sealer }: Ports,
  kind: GroupKind,
  written: { readonly uid: string; readonly spec: JsonText },
  before: { readonly open: Resource; readonly stored: Resource } | null = null,
): JsonText {
  const member = sealedMemberOf(kind);
  if (member === null) return written.spec;
  const specs = before === null ? null : { open: before.open.spec, stored: before.stored.spec };
  return sealSpec(sealer, written, member, specs);
}

/**
 * A stored resource as the caller may read it: in clear for callers that may `get` it, else with its values sealed, and without a member
 * that nobody reads. The change log, history and search always show values sealed.
 */
export function shownTo({ sealer }: Ports, caller: Caller, resource: Resource): Resource {
  const member = sealedMemberIn(resource);
  if (member === null) return resource;
  if (member.readableBy === 'nobody') return withoutUnreadable(resource);
  return mayGet(caller, resource) ? { ...resource, spec: openSpec(sealer, resource, member) } : resource;
}

/** A stored resource for an answer that shows values sealed: without a member that nobody reads. */
export function withoutUnreadable(resource: Resource): Resource {
  const member = sealedMemberIn(resource);
  if (member?.readableBy !== 'nobody') return resource;
  return { ...resource, spec: withoutMember(resource.spec, member.name) };
}

/**
 * Throws the uniform 403 unless the caller may read the sealed values of the resource that a patch starts from.
 *
 * Attack: somebody who may `patch` Secrets but not `get` them copies a value into an annotation, or guesses it with `test` operations.
 */
export function requireReadable(caller: Caller, resource: Resource): void {
  if (!mayReadValues(caller, resource)) throw accessDenied(caller);
}

/** False for sealed values of a resource that the caller may not `get`. Those that nobody reads are only compared. */
function mayReadValues(caller: Caller, resource: Resource): boolean {
  return sealedMemberIn(resource)?.readableBy !== 'getters' || mayGet(caller, resource);
}

function mayGet(caller: Caller, { uid, apiVersion, kind, name, ancestorUids }: Resource): boolean {
  return sees(caller, { uid, group: groupOf(apiVersion), kind, name, plural: null, within: ancestorUids });
}
