/** Milliseconds since the epoch as the text of a timestamp. */
export function instantOf(ms: number): string {
  return new Date(ms).toISOString();
}
