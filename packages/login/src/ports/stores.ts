/** The users of the platform. */
export interface UserDirectory {
  /**
   * Must return the uid of the user with that issuer and subject, create the user if there is none, and update the e-mail address.
   */
  upsert(user: {
    readonly issuer: string;
    readonly subject: string;
    readonly email: string;
  }): Promise<{ readonly uid: string }>;
}

/** The sessions of the platform. */
export interface SessionRegistry {
  /**
   * Must store the session before its token is made, so that it can be listed and ended. `startedAt` is in milliseconds. Null when the login was
   * ended since `authenticatedAt`, by a sign-out of the user or a logout at the identity provider.
   */
  start(session: {
    readonly uid: string;
    readonly email: string;
    readonly issuer: string | null;
    readonly subject: string | null;
    readonly providerSession: string | null;
    readonly userAgent: string;
    /** Lifetime. */
    readonly seconds: number;
    /** In milliseconds since the epoch, by the clock of the database. */
    readonly authenticatedAt: number;
  }): Promise<{ readonly id: string; readonly startedAt: number } | null>;
  /** Must end the session. `expiresAt` is in seconds since the epoch. */
  end(session: { readonly id: string; readonly expiresAt: number }): Promise<void>;
}

/** The states that a callback has used, for all replicas. */
export interface UsedStates {
  /**
   * Must store the hash until `expiresAt` and return the time by the clock of the database, for exactly one of all calls with that hash;
   * null for the others. Times are in milliseconds since the epoch.
   */
  markUsed(hash: string, expiresAt: number): Promise<number | null>;
}

/** The addresses of the projects. */
export interface ProjectOrigins {
  /** Whether some project's URL has exactly that origin. */
  isProjectOrigin(origin: string): Promise<boolean>;
  /** Whether it is one that `server.project_url_template` gives, so that its domain is the operator's. */
  isTemplateOrigin(origin: string): boolean;
}
