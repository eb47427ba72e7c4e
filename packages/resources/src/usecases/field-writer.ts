import { actorOf } from '../model/caller.ts';
import type { Collection } from '../model/definition.ts';
import { managedFieldsOf, managedValue, parseManagers, renderManagers } from '../model/managed-fields.ts';
import { clientMetadataOf, type JsonText, type Resource } from '../model/resource.ts';
import { fieldTypeOf } from '../rules/prepare-apply.ts';
import type { Replacement } from '../rules/prepare-replace.ts';
import { type FieldWriter, renderApplied, updateManagers } from '../rules/server-side-apply.ts';
import type { RequestContext, ResourcePorts } from './request.ts';

/** The longest name of a field manager, as in Kubernetes. */
const maxManagerName = 128;

/** A request that may name its field manager. */
export interface ManagedRequest extends RequestContext {
  readonly fieldManager?: string | null;
}

/** The writer of a request: the manager that it names, or the program that sent it, as in Kubernetes. */
export function writerOf(
  { clock }: Pick<ResourcePorts, 'clock'>,
  request: ManagedRequest,
  apiVersion: string,
  subresource: FieldWriter['subresource'] = null,
): FieldWriter {
  const { fieldManager, origin, caller } = request;
  const [program] = (origin?.userAgent ?? '').split('/');
  const name = (fieldManager ?? program) || actorOf(caller).id;
  const time = `${new Date(clock.now()).toISOString().slice(0, 19)}Z`;
  return { name: name.slice(0, maxManagerName), subresource, apiVersion, time };
}

/**
 * The managed fields after a replacement that is no apply; null for a resource that was never applied, which has none. Throws
 * `payload_too_large` for too many that are set.
 */
export function managedAfterUpdate(
  ports: Pick<ResourcePorts, 'clock'>,
  request: ManagedRequest & { readonly collection: Collection; readonly setManagers?: JsonText | null },
  stored: Resource,
  replacement: Replacement,
): JsonText | null {
  const before = managedFieldsOf(stored);
  const { setManagers = before } = request;
  const known =
    setManagers === null || setManagers === before
      ? setManagers
      : renderApplied(parseManagers(setManagers), before);
  if (known === null) return null;
  const after = managedValue({ ...stored, ...clientMetadataOf(replacement), spec: replacement.spec.text });
  const managers = parseManagers(known);
  // Only its status was applied.
  if (managers.every(({ subresource }) => subresource !== null)) return known;
  const writer = writerOf(ports, request, stored.apiVersion);
  const updated = updateManagers(
    managedValue(stored),
    after,
    managers,
    writer,
    fieldTypeOf(request.collection),
  );
  return updated === managers ? known : renderManagers(updated);
}
