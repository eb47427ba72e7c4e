/** The users of the platform. */
export interface UserDirectory {
  /** Must return the uid of the user with that issuer and subject, creating it when there is none, and keep the e-mail address current. */
  upsert(user: {
    readonly issuer: string;
    readonly subject: string;
    readonly email: string;
  }): Promise<{ readonly uid: string }>;
}

/** What may be used once, over all replicas. Only hashes of values are kept. `expiresAt` is in seconds since the epoch. */
export interface OneTimeStore {
  /** Must remember the hash until it expires; true for the first call with it, false for every other. */
  markUsed(hash: string, expiresAt: number): Promise<boolean>;

  /** Must keep the sealed text under the hash. */
  save(hash: string, sealed: string, expiresAt: number): Promise<void>;

  /** Must return what is kept under the hash and has not expired at `now`, and leave it there; else null. */
  peek(hash: string, now: number): Promise<string | null>;

  /** Must remove what is kept under the hash; true for exactly one of concurrent calls. */
  consume(hash: string): Promise<boolean>;

  /** Must delete at most `limit` entries that expired before `now`, and return how many. */
  sweep(now: number, limit: number): Promise<number>;
}

/** The addresses of the projects. */
export interface ProjectOrigins {
  /** Whether some project's URL has exactly that origin. */
  isProjectOrigin(origin: string): Promise<boolean>;
}
