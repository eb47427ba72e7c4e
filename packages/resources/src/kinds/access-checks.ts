import { StaleAccess } from '@platform/access';
import type { Caller } from '../model/caller.ts';
import type { AccessFacts } from '../ports/access-facts.ts';

/** Throws `StaleAccess` unless the caller was authorized with the roles and bindings that are stored now. Operators need none. */
export async function requireCurrentAccess(access: AccessFacts, caller: Caller): Promise<void> {
  if (caller.type === 'operator' || caller.access === undefined) return;
  if ((await access.version()) !== caller.access.version) throw new StaleAccess();
}
