/** The two tables of logins under way; they have the same columns. */
export type FlowTable = 'oauth_states' | 'oauth_codes';

/** Milliseconds since the epoch as PostgreSQL reads a timestamp. */
export function instantOf(ms: number): string {
  return new Date(ms).toISOString();
}
