import { statusType } from '../model/field-type.ts';
import { type JsonObject, type JsonValue, parseValue, renderValue } from '../model/json-value.ts';
import {
  managedFieldsOf,
  parseManagers,
  renderManagers,
  withOtherManagers,
} from '../model/managed-fields.ts';
import type { JsonText, Resource } from '../model/resource.ts';
import { validateConfiguration } from '../rules/field-merge.ts';
import {
  applyConfiguration,
  initialManagers,
  renderApplied,
  updateManagers,
} from '../rules/server-side-apply.ts';
import { type ManagedRequest, writerOf } from './field-writer.ts';
import type { ResourcePorts } from './request.ts';

/** How the fields of a status slot are managed, of an interface whose callers share the slot. */
export interface ManagedStatus {
  /** The JSON Schema of the slot, for its list types; null when there is none. */
  readonly schema: JsonText | null;
  /** Whether a server-side apply takes over fields of other managers; null for other writes. */
  readonly force: boolean | null;
}

/** A slot with the metadata of its resource, both as they are stored. */
export interface StoredSlot {
  readonly value: JsonText | null;
  readonly metadata: JsonText;
}

/**
 * The slot and the metadata after a write of the slot. A server-side apply merges the configuration that was sent into the slot, and removes
 * the fields that its manager no longer applies. Any other write gets the fields that it changes, once the slot was applied. Throws
 * `apply_conflict`, and `payload_too_large` for too many managers.
 */
export function writeManaged(
  ports: Pick<ResourcePorts, 'clock'>,
  request: ManagedRequest & { readonly managed: ManagedStatus },
  stored: Resource,
  { before, sent }: { readonly before: JsonText | null; readonly sent: JsonText | null },
): StoredSlot {
  const { schema, force } = request.managed;
  const managedBefore = managedFieldsOf(stored);
  const known = parseManagers(managedBefore ?? '[]');
  const isFirst = known.every(({ subresource }) => subresource !== 'status');
  if (force === null && isFirst) return { value: sent, metadata: stored.metadata };
  const type = statusType(schema);
  const writer = writerOf(ports, request, stored.apiVersion, 'status');
  const [live, wanted] = [documentOf(before), documentOf(sent)];
  if (force === null) {
    const managers = updateManagers(live, wanted, known, writer, type);
    const metadata =
      managers === known ? stored.metadata : withOtherManagers(stored.metadata, renderManagers(managers));
    return { value: sent, metadata };
  }
  validateConfiguration(wanted, type);
  const managers = isFirst ? [...known, ...initialManagers(live, type, writer)] : known;
  const applied = applyConfiguration(live, wanted, { managers, writer, type, force });
  const value = (applied.value as JsonObject).get('status') ?? new Map<string, JsonValue>();
  const managed = renderApplied(applied.managers, managedBefore);
  return { value: renderValue(value), metadata: withOtherManagers(stored.metadata, managed) };
}

const documentOf = (slot: JsonText | null): JsonObject =>
  new Map(slot === null ? [] : [['status', parseValue(slot)]]);
