/** The facts of a session that roles and ingress tokens depend on. */
export interface SessionFacts {
  /** Names the session. A session of a release without ids is named by the hash of its token. */
  readonly id: string;
  /** When the session started, in milliseconds since the epoch; whole seconds for a session without an id. */
  readonly startedAt: number;
  /** When the session ends, in seconds since the epoch. */
  readonly expiresAt: number;
  /** False for a login whose ID token did not say `email_verified: true`. */
  readonly emailVerified: boolean;
  /** The account at the identity provider; null for a session that does not name it. */
  readonly account: { readonly issuer: string; readonly subject: string } | null;
  /** The `groups` claim; empty for a session without it. */
  readonly groups: readonly string[];
}

/** A user with a session. An operator is one whom an entry of `auth.operator_users` names. */
export interface UserPrincipal {
  readonly type: 'operator' | 'user';
  /** The platform's own id of the user; `sub` of the session. */
  readonly uid: string;
  /** As in the session, in its original case. */
  readonly email: string;
  /** Named by an entry of `auth.admin_users`: admin of the default Organization, for the typed resources only. */
  readonly admin: boolean;
  /** The session that the caller presented; absent for a principal that no request made. */
  readonly session?: SessionFacts;
}

/** An external controller, known by the `id` of its `auth.controllers` entry. */
export interface ControllerPrincipal {
  readonly type: 'controller';
  readonly id: string;
}

/** A service account of one project. */
export interface ServiceAccountPrincipal {
  readonly type: 'service_account';
  readonly uid: string;
  /** `<project>+<name>@sa.platform.local`. */
  readonly email: string;
  /** The name of the project it belongs to. */
  readonly project: string;
}

/** Who makes a request. */
export type Principal = UserPrincipal | ControllerPrincipal | ServiceAccountPrincipal;

/** The principals that an access token can stand for. */
export type ExchangedPrincipal = ControllerPrincipal | ServiceAccountPrincipal;
