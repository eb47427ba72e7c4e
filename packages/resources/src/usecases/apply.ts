import { Problem } from '@platform/kernel';
import type { Collection } from '../model/definition.ts';
import type { FieldType } from '../model/field-type.ts';
import type { JsonValue } from '../model/json-value.ts';
import { managedFieldsOf, managedValue, parseManagers } from '../model/managed-fields.ts';
import type { JsonText, Resource } from '../model/resource.ts';
import { definitionOf, notFound } from '../model/target.ts';
import {
  appliedBody,
  type Configuration,
  fieldTypeOf,
  prepareApply,
  requireRevisionOf,
} from '../rules/prepare-apply.ts';
import {
  applyConfiguration,
  type ClientApplied,
  type FieldWriter,
  initialManagers,
  renderApplied,
  unchangedFields,
} from '../rules/server-side-apply.ts';
import { requireStorageVersion } from '../rules/validate-body.ts';
import { guardedForCreate } from './authorize.ts';
import { changeLatest } from './change-latest.ts';
import { createResource } from './create.ts';
import { writerOf } from './field-writer.ts';
import { definitionMissing, replaceStored } from './replace.ts';
import type { ConditionalRequest, ResourcePorts } from './request.ts';
import { openedForWrite, requireReadable } from './sealed.ts';

/** How to read what a client last applied without server-side apply. */
export interface AppliedBefore {
  /** The configuration as JSON text; null when the resource records none. */
  read(stored: Resource): JsonText | null;
  /** Whether the manager of the request is that client. */
  readonly isByWriter: boolean;
}

/** A server-side apply of an item. */
export interface ApplyRequest extends ConditionalRequest {
  /** The configuration, as JSON that `parseDocument` has accepted. */
  readonly configuration: JsonText;
  readonly fieldManager: string;
  /** Whether fields of other managers are taken over. */
  readonly force: boolean;
  readonly limitBytes: number;
  /** The configuration that a client last applied without server-side apply, if the resource records it. */
  readonly appliedBefore?: AppliedBefore | undefined;
  /** Completes the result, with fields that nobody manages: the defaults of the kind. May refuse it. `stored` is null for a create. */
  readonly complete?: ((value: JsonValue, stored: Resource | null) => JsonValue) | undefined;
}

/** The result of an apply. */
export interface ApplyResult {
  readonly resource: Resource;
  readonly created: boolean;
}

interface Prepared {
  readonly collection: Collection;
  readonly configuration: Configuration;
  readonly type: FieldType;
  readonly writer: FieldWriter;
}

/** Attempts while the resource is created and removed between the read and the write. */
const maxAttempts = 5;

/** Applies a configuration to the latest revision of an item, or creates the item. An apply that changes nothing keeps the revision. */
export async function applyResource(ports: ResourcePorts, request: ApplyRequest): Promise<ApplyResult> {
  const { target, precondition } = request;
  const { collection, version } = target;
  if (collection === null) throw await definitionMissing(ports, request);
  requireStorageVersion(collection, version);
  const type = fieldTypeOf(collection);
  const nameInPath = target.ref.by === 'path' ? (target.ref.steps.at(-1)?.name ?? null) : null;
  const configuration = prepareApply(request.configuration, collection, version, { type, nameInPath });
  const apiVersion = `${collection.group}/${version}`;
  const writer = writerOf(ports, request, apiVersion);
  const prepared: Prepared = { collection, configuration, type, writer };
  for (let attempt = 1; ; attempt += 1) {
    const { resource: stored } = await ports.reader.get(target.ref, definitionOf(target));
    try {
      if (stored === null) {
        return { resource: await create(ports, request, prepared), created: true };
      }
      const changed = await changeLatest(
        ports,
        { ...request, collection, precondition },
        stored,
        (bound, latest) => applyTo(bound, request, prepared, latest),
      );
      return { resource: changed, created: false };
    } catch (error) {
      if (!isOvertaken(error, stored) || attempt === maxAttempts) throw error;
    }
  }
}

/** Whether somebody else created or removed the resource since it was looked for. */
function isOvertaken(error: unknown, stored: Resource | null): boolean {
  return error instanceof Problem && error.code === (stored === null ? 'already_exists' : 'not_found');
}

async function applyTo(
  ports: ResourcePorts,
  request: ApplyRequest,
  { collection, configuration, type, writer }: Prepared,
  stored: Resource,
): Promise<Resource> {
  requireReadable(request.caller, stored);
  requireRevisionOf(configuration, stored);
  const open = openedForWrite(ports, stored);
  const live = managedValue(open);
  const managedBefore = managedFieldsOf(stored);
  const known = parseManagers(managedBefore ?? '[]');
  const isFirst = known.every(({ subresource }) => subresource !== null);
  const before = appliedBefore(request, collection, type, open);
  const managers = isFirst ? [...initialManagers(live, type, writer, before), ...known] : known;
  const applied = applyConfiguration(live, configuration.value, {
    managers,
    writer,
    type,
    force: request.force,
    ...(before?.isByWriter ? { mayTake: unchangedFields(live, before.config, type) } : {}),
  });
  const body = appliedBody(request.complete?.(applied.value, open) ?? applied.value, live, {
    name: configuration.name,
    stored: open,
    kind: collection.kind,
    apiVersion: writer.apiVersion,
    limitBytes: request.limitBytes,
  });
  const managedFields = renderApplied(applied.managers, managedBefore);
  return await replaceStored(
    ports,
    { ...request, collection, body, managedFields, keepsUnchanged: true, operation: 'apply' },
    stored,
  );
}

/** The configuration that was applied before; null for a missing or invalid one, since anybody may write this text. */
function appliedBefore(
  { appliedBefore: before, target }: ApplyRequest,
  collection: Collection,
  type: FieldType,
  stored: Resource,
): ClientApplied | null {
  try {
    const text = before?.read(stored) ?? null;
    if (before === undefined || text === null) return null;
    const { value: config } = prepareApply(text, collection, target.version, { type, nameInPath: null });
    return { config, isByWriter: before.isByWriter };
  } catch (error) {
    if (error instanceof Problem) return null;
    throw error;
  }
}

async function create(
  ports: ResourcePorts,
  request: ApplyRequest,
  { collection, configuration, type, writer }: Prepared,
): Promise<Resource> {
  const { target, caller, precondition } = request;
  const { ref, version } = target;
  if (ref.by !== 'path' || configuration.revision !== null) throw notFound();
  // RFC 9110, section 13.1.1: nothing matches while there is no resource.
  if (precondition !== null && precondition.match !== null) {
    throw new Problem('precondition_failed', 'If-Match names a version, and the resource does not exist.');
  }
  const { group, kind } = collection;
  const place = { group, kind, ancestors: ref.steps.slice(0, -1) };
  const inCollection = await guardedForCreate(ports.reader, {
    caller,
    item: target,
    target: { form: 'collection', ref: place, collection, version },
    body: async () => ({ value: JSON.parse(request.configuration) }),
  });
  const applied = applyConfiguration(new Map(), configuration.value, {
    managers: [],
    writer,
    type,
    force: false,
  });
  const body = appliedBody(request.complete?.(applied.value, null) ?? applied.value, null, {
    name: configuration.name,
    stored: null,
    kind,
    apiVersion: writer.apiVersion,
    limitBytes: request.limitBytes,
  });
  return await createResource(ports, {
    ...request,
    target: inCollection,
    body,
    managedFields: renderApplied(applied.managers, null),
    operation: 'apply',
  });
}
