import { PlatformError } from '../http/platform-error.ts';

/** Supplies the client with tokens. It is asked before each request, so it caches a token that is still valid. */
export interface TokenSource {
  /** A token that is valid now. */
  token(): Promise<string>;
  /** Called when the platform answered 401 to a token, so that the source does not return it again. */
  rejected?(token: string): void;
}

/** Always returns the same token. */
export function staticToken(token: string): TokenSource {
  return { token: async () => token };
}

/** The token in a file. The file is read for each request, because another process may replace it at any time. */
export function fileToken(path: string): TokenSource {
  return {
    async token() {
      // Imported lazily, so that the rest of the client also works in a browser.
      const { readFile } = await import('node:fs/promises');
      const text = await readFile(path, 'utf8').catch((cause: Error) => {
        throw noToken(`cannot read the token file: ${cause.message}`, cause);
      });
      if (text.trim() === '') throw noToken(`the token file ${path} is empty`);
      return text.trim();
    },
  };
}

function noToken(detail: string, cause?: unknown): PlatformError {
  return new PlatformError({ status: 0, code: 'no_token', detail }, { cause });
}
