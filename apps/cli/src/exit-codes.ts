/** The exit codes of the command line. docs/cli.md lists them, and a test compares the two. */
export const exitCodes = {
  ok: 0,
  /** Any other failure, or a check that found something. */
  failed: 1,
  /** The command line is invalid. */
  usage: 2,
  /** There is no session, or it has expired. */
  unauthenticated: 3,
  /** The caller lacks the permission. */
  forbidden: 4,
  /** The resource, kind or context does not exist. */
  notFound: 5,
  /** The resource was changed concurrently, or its state does not allow the change. */
  conflict: 6,
  /** The server or the command line rejected the content. */
  invalid: 7,
  /** The platform cannot be reached, or asks to try again later. */
  unavailable: 8,
  /** `--timeout` has passed. */
  timeout: 9,
  /** Ended by Ctrl-C. */
  interrupted: 130,
} as const;

/** A name of {@link exitCodes}. */
export type Exit = keyof typeof exitCodes;
