/** A person with a session of the platform. */
export interface UserPrincipal {
  readonly type: 'user';
  readonly uid: string;
  readonly email: string;
  /** Listed in `auth.operator_users`, compared without case. */
  readonly operator: boolean;
  /** Listed in `auth.admin_users`, compared without case. */
  readonly admin: boolean;
}

/** A controller of `auth.controllers`. */
export interface ControllerPrincipal {
  readonly type: 'controller';
  readonly id: string;
}

/** A service account of a project. */
export interface ServiceAccountPrincipal {
  readonly type: 'service_account';
  readonly uid: string;
  readonly email: string;
  readonly project: string;
}

/** Whom a verified token speaks for. */
export type Principal = UserPrincipal | ControllerPrincipal | ServiceAccountPrincipal;

/** Verifies the bearer tokens that the API accepts. */
export interface Authenticator {
  /**
   * Must return whom the token speaks for, or throw `unauthenticated` for every token that it does not accept, with
   * nothing in the detail that tells why. Answers at once, without a promise, where it can: it is asked for each request.
   */
  authenticate(bearer: string): Principal | Promise<Principal>;
}
