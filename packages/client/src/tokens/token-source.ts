/** Where a client takes its tokens from. Asked before each request, so it keeps what is still good. */
export interface TokenSource {
  /** A token that is good now. */
  token(): Promise<string>;
  /** Told that the platform has refused a token, so that it is not given out again. */
  rejected?(token: string): void;
}

/** One token, as it is. */
export function staticToken(token: string): TokenSource {
  return { token: async () => token };
}
