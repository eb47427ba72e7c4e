/** What the command ends with; documented in docs/cli.md, and a test holds the two together. */
export const exitCodes = {
  ok: 0,
  /** Something else went wrong, or what was asked about is not in order. */
  failed: 1,
  /** The command line makes no sense. */
  usage: 2,
  /** There is no session, or it is over. */
  unauthenticated: 3,
  /** The caller may not do this. */
  forbidden: 4,
  /** There is no such thing. */
  notFound: 5,
  /** Somebody else was faster, or something is in the way. */
  conflict: 6,
  /** What was sent is not acceptable. */
  invalid: 7,
  /** The platform cannot be reached, or asks to come back later. */
  unavailable: 8,
  /** The time of `--timeout` is over. */
  timeout: 9,
  /** Ended by Ctrl-C. */
  interrupted: 130,
} as const;

/** A name of {@link exitCodes}. */
export type Exit = keyof typeof exitCodes;
