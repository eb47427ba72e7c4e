/** Identifies a session: its id, or its user and its start. */
export interface SessionIdentity {
  /** Null for a login that has no session yet, such as an authorization code. */
  readonly id: string | null;
  readonly uid: string;
  readonly email: string;
  /** In milliseconds since the epoch. */
  readonly startedAt: number;
}

/** The sessions that ended before they expired: by logout, by revocation, or because their user was signed out. */
export interface EndedSessions {
  /**
   * Whether the session has ended. Must know every end that was committed more than a second ago, on whichever replica, and must throw
   * `unavailable` when it cannot know that. Must answer without waiting while its memory is current.
   */
  hasEnded(session: SessionIdentity): boolean | Promise<boolean>;
}
