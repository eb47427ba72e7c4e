import { PlatformError } from '../http/platform-error.ts';
import type { TokenSource } from './token-source.ts';

/** The token in a file, read again each time: whoever writes it may replace it at any moment. */
export function fileToken(path: string): TokenSource {
  return {
    async token() {
      // Loaded here, because only this needs a file system: in a browser the rest of the client works without one.
      const { readFile } = await import('node:fs/promises');
      const text = await readFile(path, 'utf8').catch((cause: Error) => {
        throw unusable(`the token file cannot be read: ${cause.message}`, cause);
      });
      if (text.trim() === '') throw unusable(`the token file ${path} is empty`);
      return text.trim();
    },
  };
}

function unusable(detail: string, cause?: unknown): PlatformError {
  return new PlatformError({ status: 0, code: 'no_token', detail }, { cause });
}
