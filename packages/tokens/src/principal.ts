/** A person with a session. An operator is a user who is listed in `auth.operator_users`. */
export interface UserPrincipal {
  readonly type: 'operator' | 'user';
  /** The platform's own id of the user; `sub` of the session. */
  readonly uid: string;
  /** As it stands in the session, in its original case. */
  readonly email: string;
  /** Listed in `auth.admin_users`: admin of the default Organization, for the typed resources only. */
  readonly admin: boolean;
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
