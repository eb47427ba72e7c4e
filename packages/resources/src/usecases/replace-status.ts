import { Problem } from '@platform/kernel';
import { actorOf, type Caller, ownSlot } from '../model/caller.ts';
import type { JsonDocument } from '../model/json-document.ts';
import { statusBody } from '../model/request-bodies.ts';
import type { Resource } from '../model/resource.ts';
import { requireValid } from '../rules/faults.ts';
import { accessDenied } from './access.ts';
import { auditIdentity } from './audit-identity.ts';
import type { ResourcePorts } from './ports.ts';
import { definitionOf, notFound } from './request.ts';
import { type ConditionalRequest, writeIfMatched } from './write-if-matched.ts';

/** Writes one status slot of the latest row, verbatim (specification, "Status subresource"; contract 2.9). */
export async function replaceStatus(
  ports: Pick<ResourcePorts, 'writer' | 'transactions' | 'audit'>,
  request: ConditionalRequest & { readonly body: JsonDocument; readonly query: URLSearchParams },
): Promise<Resource> {
  const { caller, ref, body } = request;
  const named = readSlot(request.query, caller);
  requireValid(statusBody, body.value);
  const text = body.raw('/status') ?? 'null';
  // A null clears a slot that was named; without a name it is a value like any other.
  const value = named !== null && text === 'null' ? null : text;
  requireSlotSize(value);
  const command = {
    definition: definitionOf(request),
    ref,
    slot: named ?? ownSlot(caller),
    value,
  };
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

/** Bytes of one slot: every list answer carries the slots of all its items. */
const maxSlotBytes = 256 * 1024;

function requireSlotSize(value: string | null): void {
  if (value === null || new TextEncoder().encode(value).length <= maxSlotBytes) return;
  throw new Problem('payload_too_large', `A status slot has at most ${maxSlotBytes} bytes.`);
}

function readSlot(query: URLSearchParams, caller: Caller): string | null {
  const [slot, ...more] = query.getAll('slot');
  if (slot === undefined) return null;
  // A controller that could name a slot would write another controller's word.
  if (caller.type === 'controller' && slot !== caller.id) throw accessDenied();
  if (more.length > 0 || !/^[^\p{C}\p{Z}]{1,320}$/u.test(slot)) {
    throw new Problem(
      'invalid_query',
      'slot must be one id of 1 to 320 printable characters without spaces.',
    );
  }
  return slot;
}
