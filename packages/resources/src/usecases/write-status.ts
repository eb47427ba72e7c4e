import { invalid, Problem, requireMet } from '@platform/kernel';
import { actorOf, type Caller, ownSlot } from '../model/caller.ts';
import { type JsonDocument, parseDocument } from '../model/json-document.ts';
import { sameJson } from '../model/json-equality.ts';
import { type JsonObject, parseValue, renderValue } from '../model/json-value.ts';
import { legibleBody } from '../model/legible-body.ts';
import { applyStatusBody, statusBody } from '../model/request-bodies.ts';
import type { JsonText, Resource } from '../model/resource.ts';
import { definitionOf, notFound } from '../model/target.ts';
import { maxStatusBytes, type StatusCommand } from '../ports/resource-writer.ts';
import { accessDenied } from '../rules/access.ts';
import { allOf } from '../rules/all-faults.ts';
import { type Patch, patchSlot } from '../rules/patch-document.ts';
import { requireEnvelope, requireValid } from '../rules/validate-body.ts';
import { getResource, validateBodyOf } from './read.ts';
import { auditIdentity, type ConditionalRequest, changeOf, type ResourcePorts } from './request.ts';
import { type ManagedStatus, writeManaged } from './status-managers.ts';
import { inTransaction } from './unit-of-work.ts';
import { writeIfMatched } from './write-if-matched.ts';

/** Writes one status slot of the latest row, verbatim. `slots` are the slots that the request names; it may name one. */
export async function replaceStatus(
  ports: Pick<ResourcePorts, 'reader' | 'writer' | 'transactions' | 'audit'>,
  request: ConditionalRequest & { readonly body: JsonDocument; readonly slots: readonly string[] },
): Promise<Resource> {
  const { caller, body } = request;
  const named = slotOf(request.slots, caller);
  await validateBodyOf(ports, request, () => requireValid(statusBody, body.value));
  const text = body.raw('/status') ?? 'null';
  // A null clears a slot that the request names; without a name it is stored like any other value.
  const value = named !== null && text === 'null' ? null : text;
  const slot = named ?? ownSlot(caller);
  return await writeSlot(ports, request, { slot, value });
}

/** The status slot that a request is for. */
interface SlotChoice {
  /** The slots that the request names; it may name one. */
  readonly slots: readonly string[];
  /** A slot that the interface gives to all of its callers, instead of the caller's own. */
  readonly sharedSlot?: string;
  /** Throws when the interface does not accept the value. `before` is null for a slot that is new. */
  readonly checkSlot?: SlotCheck;
}

/** See {@link SlotChoice}. */
export type SlotCheck = (value: JsonText, stored: Resource, before: JsonText | null) => Promise<void>;

/** Applies a patch to one status slot of the latest row, under the lock of the row. */
export async function patchStatus(
  ports: ResourcePorts,
  request: ConditionalRequest &
    SlotChoice & {
      readonly patch: Patch;
      readonly managed?: ManagedStatus;
      readonly fieldManager?: string | null;
    },
): Promise<Resource> {
  const { caller, target, precondition, patch } = request;
  const slot = request.sharedSlot ?? slotOf(request.slots, caller) ?? ownSlot(caller);
  return await inTransaction(ports, async (bound, transaction) => {
    const row = await transaction.lockRow(target.ref, definitionOf(target));
    if (row === null) throw notFound();
    requireMet(precondition, row);
    const stored = await getResource(bound, request);
    const before = slotIn(stored, slot);
    const sent = patchSlot(patch, before, stored);
    const { managed } = request;
    const { value, metadata } =
      managed === undefined
        ? { value: sent, metadata: stored.metadata }
        : writeManaged(ports, { ...request, managed }, stored, { before, sent });
    const isSame = value === before || (value !== null && before !== null && sameJson(value, before));
    if (isSame && metadata === stored.metadata) return stored;
    if (value !== null) await request.checkSlot?.(value, stored, before);
    const changed = metadata === stored.metadata ? {} : { metadata };
    return await writeSlot(bound, { ...request, precondition: null }, { slot, value, ...changed });
  });
}

/** Applies a configuration to one status slot, which has one writer: the slot becomes what the configuration says. */
export async function applyStatus(
  ports: ResourcePorts,
  request: ConditionalRequest & { readonly configuration: JsonText; readonly slots: readonly string[] },
): Promise<Resource> {
  const { collection, version } = request.target;
  const body = parseDocument(request.configuration);
  const [sent] = allOf(
    () => requireValid(applyStatusBody, body.value),
    () => collection === null || requireEnvelope(legibleBody(body.value), collection, version),
  );
  const status = parseValue(body.raw('/status') as JsonText);
  const patch: Patch = (_document, stored) => {
    requireName(sent.metadata?.name, stored);
    return new Map([['status', status]]);
  };
  return await patchStatus(ports, { ...request, patch });
}

function requireName(name: string | undefined, stored: Resource): void {
  if (name === undefined || name === stored.name) return;
  throw invalid([{ path: '/metadata/name', message: `must be ${stored.name}, as in the path` }]);
}

function slotIn({ status }: Resource, slot: string): JsonText | null {
  const controllers = (parseValue(status) as JsonObject).get('controllers');
  const value = controllers instanceof Map ? controllers.get(slot) : undefined;
  return value === undefined ? null : renderValue(value);
}

async function writeSlot(
  ports: Pick<ResourcePorts, 'writer' | 'transactions' | 'audit'>,
  request: ConditionalRequest,
  { slot, value, metadata }: Pick<StatusCommand, 'slot' | 'value' | 'metadata'>,
): Promise<Resource> {
  const { caller, target } = request;
  requireSlotSize(value);
  const change = changeOf(request, 'status');
  const command = {
    change,
    definition: definitionOf(target),
    ref: target.ref,
    slot,
    value,
    ...(metadata === undefined ? {} : { metadata }),
  };
  const result = await writeIfMatched(ports, request, (writer) => writer.replaceStatus(command));
  if (result.outcome === 'statusTooLarge') {
    throw new Problem(
      'payload_too_large',
      `The status of a resource has at most ${maxStatusBytes} bytes, all slots together.`,
    );
  }
  if (result.outcome !== 'written') throw notFound();
  ports.audit.record({
    message: statusMessages[caller.type],
    requestId: request.requestId,
    actor: actorOf(caller),
    ...auditIdentity(result.resource),
  });
  return result.resource;
}

const statusMessages = {
  operator: 'resource.operator_status_updated',
  controller: 'resource.controller_status_updated',
  user: 'resource.status_updated',
  service_account: 'resource.status_updated',
} as const;

/** The most bytes of one slot. List answers contain the slots of all their items. */
const maxSlotBytes = 256 * 1024;

function requireSlotSize(value: string | null): void {
  if (value === null || new TextEncoder().encode(value).length <= maxSlotBytes) return;
  throw new Problem('payload_too_large', `A status slot has at most ${maxSlotBytes} bytes.`);
}

/** Validates the slot that a request names, or returns null when it names none. */
function slotOf([slot, ...more]: readonly string[], caller: Caller): string | null {
  if (slot === undefined) return null;
  // Attack: a caller that could name any slot could overwrite the status of a controller.
  if (caller.type !== 'operator' && slot !== ownSlot(caller)) throw accessDenied(caller);
  if (more.length > 0 || !/^[^\p{C}\p{Z}]{1,320}$/u.test(slot)) {
    throw new Problem(
      'invalid_query',
      'slot must be one id of 1 to 320 printable characters without spaces.',
    );
  }
  return slot;
}
