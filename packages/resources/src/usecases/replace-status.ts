import { Problem } from '@platform/kernel';
import { actorOf, type Caller, ownSlot } from '../model/caller.ts';
import type { JsonDocument } from '../model/json-document.ts';
import { statusBody } from '../model/request-bodies.ts';
import type { Resource } from '../model/resource.ts';
import { definitionOf } from '../model/target.ts';
import { requireValid } from '../rules/validate-body.ts';
import {
  accessDenied,
  auditIdentity,
  type ConditionalRequest,
  notFound,
  type ResourcePorts,
} from './request.ts';
import { writeIfMatched } from './write-if-matched.ts';

/** Writes one status slot of the latest row, verbatim. `slots` are the slots that the request names; it may name one. */
export async function replaceStatus(
  ports: Pick<ResourcePorts, 'writer' | 'transactions' | 'audit'>,
  request: ConditionalRequest & { readonly body: JsonDocument; readonly slots: readonly string[] },
): Promise<Resource> {
  const { caller, target, body } = request;
  const named = slotOf(request.slots, caller);
  requireValid(statusBody, body.value);
  const text = body.raw('/status') ?? 'null';
  // A null clears a slot that the request names; without a name it is stored like any other value.
  const value = named !== null && text === 'null' ? null : text;
  requireSlotSize(value);
  const slot = named ?? ownSlot(caller);
  const command = { definition: definitionOf(target), ref: target.ref, slot, value };
  const result = await writeIfMatched(ports, request, (writer) => writer.replaceStatus(command));
  if (result.outcome !== 'written') throw notFound();
  ports.audit.record({
    message:
      caller.type === 'operator' ? 'resource.operator_status_updated' : 'resource.controller_status_updated',
    requestId: request.requestId,
    actor: actorOf(caller),
    ...auditIdentity(result.resource),
  });
  return result.resource;
}

/** The most bytes of one slot. List answers contain the slots of all their items. */
const maxSlotBytes = 256 * 1024;

function requireSlotSize(value: string | null): void {
  if (value === null || new TextEncoder().encode(value).length <= maxSlotBytes) return;
  throw new Problem('payload_too_large', `A status slot has at most ${maxSlotBytes} bytes.`);
}

/** Validates the slot that a request names, or returns null when it names none. */
function slotOf([slot, ...more]: readonly string[], caller: Caller): string | null {
  if (slot === undefined) return null;
  // A controller that could name a slot could overwrite the status of another controller.
  if (caller.type === 'controller' && slot !== caller.id) throw accessDenied();
  if (more.length > 0 || !/^[^\p{C}\p{Z}]{1,320}$/u.test(slot)) {
    throw new Problem(
      'invalid_query',
      'slot must be one id of 1 to 320 printable characters without spaces.',
    );
  }
  return slot;
}
