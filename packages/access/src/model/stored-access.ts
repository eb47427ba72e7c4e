import { z } from 'zod';
import { type AccessRule, roleSpec } from './rule.ts';
import { type AccessSubject, accessSubject } from './subject.ts';

/** A stored Role. */
export interface StoredRole {
  readonly name: string;
  readonly rules: readonly AccessRule[];
}

/** A stored RoleBinding. */
export interface StoredBinding {
  readonly name: string;
  readonly role: string;
  readonly subjects: readonly AccessSubject[];
  /** The uid of the scope; null for a binding that covers everything. */
  readonly scope: string | null;
}

/** Every role and binding, from one snapshot. */
export interface StoredAccess {
  /** Has another value after every change of a role, a binding or the service accounts that bindings name. It never returns to an earlier value. */
  readonly version: string;
  readonly roles: readonly StoredRole[];
  readonly bindings: readonly StoredBinding[];
  /** The uids of the service accounts that bindings name, by e-mail address. */
  readonly serviceAccounts: ReadonlyMap<string, string>;
}

/** The parts of a stored RoleBinding that grant something. Its scope was compared with the resources when it was written. */
const bindingSpec = z.looseObject({
  roleRef: z.looseObject({ name: z.string() }),
  subjects: z.array(accessSubject).default([]),
  scope: z.looseObject({ uid: z.string() }).nullish(),
});

/** Reads a stored Role. One that SQL by hand made invalid grants nothing. */
export function storedRole(name: string, spec: unknown): StoredRole {
  const parsed = roleSpec.safeParse(spec);
  return { name, rules: parsed.success ? parsed.data.rules : [] };
}

/** Reads a stored RoleBinding; null for one that SQL by hand made invalid. */
export function storedBinding(name: string, spec: unknown): StoredBinding | null {
  const parsed = bindingSpec.safeParse(spec);
  if (!parsed.success) return null;
  const { roleRef, subjects, scope } = parsed.data;
  return { name, role: roleRef.name, subjects, scope: scope?.uid.toLowerCase() ?? null };
}
