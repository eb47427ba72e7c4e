import { foldEmailCase, secretHash } from '@platform/kernel';
import type { CommonClaims } from '../kinds/kind.ts';
import type { SessionClaims } from '../kinds/session.ts';
import type { SessionFacts, UserPrincipal } from '../principal.ts';

/** One entry of `auth.operator_users` or `auth.admin_users`: an e-mail address, an account of an issuer, or a group. */
export type RoleEntry =
  | string
  | { readonly issuer: string; readonly sub: string }
  | { readonly group: string };

/** The parts of a session that decide about roles. */
export type RoleIdentity = { readonly email: string } & Pick<
  SessionFacts,
  'emailVerified' | 'account' | 'groups'
>;

/** `auth.operator_users` and `auth.admin_users`, parsed. */
export interface Roles {
  isOperator(identity: RoleIdentity): boolean;
  isAdmin(identity: RoleIdentity): boolean;
  /** The account and groups that entries name: a token for others carries these and no more. */
  partsThatCount(identity: RoleIdentity): Pick<RoleIdentity, 'account' | 'groups'>;
}

/** Reads the two lists. Addresses are compared without case; issuers, subjects and groups exactly. */
export function createRoles(operatorUsers: readonly RoleEntry[], adminUsers: readonly RoleEntry[]): Roles {
  const [operators, admins] = [memberTest(operatorUsers), memberTest(adminUsers)];
  const named = memberTest([...operatorUsers, ...adminUsers]);
  return {
    isOperator: (identity) => operators.has(identity),
    isAdmin: (identity) => admins.has(identity),
    partsThatCount: ({ account, groups }) => ({
      account: named.hasAccount(account) ? account : null,
      groups: groups.filter(named.hasGroup),
    }),
  };
}

function memberTest(entries: readonly RoleEntry[]) {
  const emails = new Set<string>();
  const accounts = new Set<string>();
  const groups = new Set<string>();
  for (const entry of entries) {
    if (typeof entry === 'string') emails.add(foldEmailCase(entry));
    else if ('group' in entry) groups.add(entry.group);
    else accounts.add(accountKey({ issuer: entry.issuer, subject: entry.sub }));
  }
  const hasAccount = (account: RoleIdentity['account']) =>
    account !== null && accounts.has(accountKey(account));
  const hasGroup = (group: string) => groups.has(group);
  // Attack: a user enters an operator's address at a provider that does not verify addresses. Users cannot choose issuer and subject.
  const has = (identity: RoleIdentity) =>
    hasAccount(identity.account) ||
    (identity.emailVerified && (emails.has(foldEmailCase(identity.email)) || identity.groups.some(hasGroup)));
  return { has, hasAccount, hasGroup };
}

function accountKey({ issuer, subject }: { readonly issuer: string; readonly subject: string }): string {
  return JSON.stringify([issuer, subject]);
}

/** The user of a verified session. */
export function userOf(token: string, claims: SessionClaims, roles: Roles): UserPrincipal {
  const { sub: uid, email } = claims;
  return userWithRoles({ uid, email }, sessionFacts(token, claims, claims.exp), roles);
}

/** The user with the roles that the configuration gives now. */
export function userWithRoles(
  { uid, email }: { readonly uid: string; readonly email: string },
  session: SessionFacts,
  roles: Roles,
): UserPrincipal {
  const identity = { ...session, email };
  const type = roles.isOperator(identity) ? 'operator' : 'user';
  return Object.freeze({ type, uid, email, admin: roles.isAdmin(identity), session });
}

/**
 * Reads from the claims of a session or an ingress token what roles depend on. A session without `email_verified` counts as verified: a
 * login, which has checked the ID token, always writes `false` when the address is not.
 */
export function sessionFacts(
  token: string,
  claims: CommonClaims & { readonly sid?: string | undefined; readonly session_iat?: number | undefined },
  expiresAt: number,
): SessionFacts {
  const {
    email_verified: verified,
    idp_iss: issuer,
    idp_sub: subject,
    groups,
  } = claims as unknown as Record<string, unknown>;
  const account = typeof issuer === 'string' && typeof subject === 'string' ? { issuer, subject } : null;
  const listed = Array.isArray(groups) ? groups : [groups];
  return Object.freeze({
    // Tokens of earlier releases have no id. Theirs cannot be taken for a stored one, which is a uuid.
    id: claims.sid ?? `token:${secretHash(token)}`,
    startedAt: Math.round((claims.session_iat ?? claims.iat) * 1000),
    expiresAt,
    emailVerified: verified !== false && verified !== 'false',
    account,
    groups: listed.filter((group): group is string => typeof group === 'string'),
  });
}
