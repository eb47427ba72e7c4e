import type { SessionClaims } from '../kinds/session.ts';
import type { UserPrincipal } from '../principal.ts';

/** `auth.operator_users` and `auth.admin_users`, ready to be asked. */
export interface Roles {
  isOperator(email: string): boolean;
  isAdmin(email: string): boolean;
}

/** Reads the two lists of e-mail addresses. Addresses are compared without case. */
export function createRoles(operatorUsers: readonly string[], adminUsers: readonly string[]): Roles {
  const operators = new Set(operatorUsers.map(foldEmailCase));
  const admins = new Set(adminUsers.map(foldEmailCase));
  return {
    isOperator: (email) => operators.has(foldEmailCase(email)),
    isAdmin: (email) => admins.has(foldEmailCase(email)),
  };
}

/** The user that a genuine session stands for. */
export function userOf(claims: SessionClaims, roles: Roles): UserPrincipal {
  const { sub: uid, email } = claims;
  const type = roles.isOperator(email) ? 'operator' : 'user';
  return Object.freeze({ type, uid, email, admin: roles.isAdmin(email) });
}

/**
 * An e-mail address in the form that addresses are compared in: A to Z folded to lower case, and nothing else.
 * Attack: Unicode folds the Kelvin sign to `k`, so that a look-alike address would become an operator's.
 */
export function foldEmailCase(email: string): string {
  return email.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
