import { type Fault, invalid, Problem } from '@platform/kernel';
import { z } from 'zod';
import { type Caller, ownSlot } from '../model/caller.ts';
import { maxFinalizers, reservedFinalizerPrefix } from '../model/names.ts';
import { finalizersBody, maxSentFinalizers } from '../model/request-bodies.ts';
import { allOf } from './all-faults.ts';
import { validOf } from './validate-body.ts';

/** Removes duplicates and keeps the order. More than {@link maxFinalizers} are a fault; the platform's own do not count. */
export function distinctFinalizers(finalizers: readonly string[]): readonly string[] {
  const distinct = [...new Set(finalizers)];
  if (distinct.filter((name) => !isReserved(name)).length > maxFinalizers) {
    throw invalid([{ path: '/metadata/finalizers', message: `must have at most ${maxFinalizers} entries` }]);
  }
  return distinct;
}

/**
 * Refuses a set that adds or removes a `system.platform.dev/` finalizer, because a caller that could remove one could make the
 * collector remove an owner before its dependents. Sending the stored ones back is allowed.
 */
export function validateReservedFinalizers(stored: readonly string[], wanted: readonly string[]): void {
  const changed = changedFinalizers(stored, wanted).filter(isReserved);
  if (changed.length > 0) throw reserved(changed.map((name) => faultOf(name, '/metadata/finalizers')));
}

/** The finalizers that are in one of the lists only: removed ones, then added ones. */
export function changedFinalizers(stored: readonly string[], wanted: readonly string[]): readonly string[] {
  return [
    ...stored.filter((name) => !wanted.includes(name)),
    ...wanted.filter((name) => !stored.includes(name)),
  ];
}

/** A request to the finalizers subresource. */
export interface FinalizerChange {
  readonly add: readonly string[];
  readonly remove: readonly string[];
}

/** The lists of a body that may have faults, with an empty name in the place of what is no text. */
const legibleNames = z.array(z.string().catch('')).max(maxSentFinalizers).catch([]);
const legibleChange = z.object({ add: legibleNames, remove: legibleNames }).catch({ add: [], remove: [] });

/**
 * Validates the body of a finalizers request: no reserved name, no name in both lists, and a controller may only name its own.
 * `controllerIds` are all configured ids. When two match a name, the longer one owns it. Throws every fault.
 */
export function validateFinalizerChange(
  body: unknown,
  caller: Caller,
  controllerIds: readonly string[],
): FinalizerChange {
  const parsed = finalizersBody.safeParse(body);
  const { add, remove } = parsed.success ? parsed.data : legibleChange.parse(body);
  const names = [
    ...add.map((name, index) => ({ name, path: `/add/${index}` })),
    ...remove.map((name, index) => ({ name, path: `/remove/${index}` })),
  ];
  const [change] = allOf(
    () => validOf(parsed),
    () => {
      const reservedNames = names.filter(({ name }) => isReserved(name));
      if (reservedNames.length > 0)
        throw reserved(reservedNames.map(({ name, path }) => faultOf(name, path)));
    },
    () => {
      const both = add.flatMap((name, index) =>
        name !== '' && remove.includes(name)
          ? [{ path: `/add/${index}`, message: `${name} is also in remove` }]
          : [],
      );
      if (both.length > 0) throw invalid(both);
    },
  );
  requireOwnFinalizers(
    names.map(({ name }) => name),
    caller,
    controllerIds,
  );
  return change;
}

/**
 * Throws `finalizer_not_owned` when one of the added or removed finalizers belongs to another writer. A controller may only use its own;
 * users and service accounts also those that belong to nobody, as Kubernetes' tools do.
 *
 * Attack: somebody who may change a resource removes the finalizer of the controller that cleans up after it.
 */
export function requireOwnFinalizers(
  names: readonly string[],
  caller: Caller,
  controllerIds: readonly string[],
): void {
  if (caller.type === 'operator') return;
  const own = ownSlot(caller);
  const foreign = names.find((name) =>
    caller.type === 'controller'
      ? ownerOf(name, controllerIds) !== own
      : ownerOf(name, controllerIds) !== null || (callerPrefix.test(name) && !name.startsWith(`${own}/`)),
  );
  if (foreign === undefined) return;
  const reason = `${foreign} does not begin with ${own}/, or belongs to a controller with a longer id.`;
  throw new Problem(
    'finalizer_not_owned',
    caller.type === 'controller' ? reason : `${foreign} belongs to another writer.`,
  );
}

/** The beginning of a finalizer of an operator, a user or a service account. */
const callerPrefix = /^(operator|user|serviceaccount):/;

/** The configured controller that a finalizer belongs to, or null. */
export function ownerOf(finalizer: string, controllerIds: readonly string[]): string | null {
  const fitting = controllerIds.filter((id) => finalizer.startsWith(`${id}/`));
  return fitting.reduce<string | null>(
    (longest, id) => (longest === null || id.length > longest.length ? id : longest),
    null,
  );
}

function isReserved(name: string): boolean {
  return name.startsWith(reservedFinalizerPrefix);
}

function faultOf(name: string, path: string): Fault {
  return { path, message: `${name} is reserved for the platform: it cannot be added or removed` };
}

function reserved(faults: readonly Fault[]): Problem {
  return invalid(faults, 'finalizer_reserved');
}
