import { handoverPath } from '../model/handover.ts';

// The path is stored in the login cookie, which browsers drop beyond 4096 bytes (RFC 6265bis section 5.7).
const longestPath = 1536;
const anyOrigin = 'https://project.invalid';

/**
 * Reads the path on the project's host to which a visitor returns; null if it is not a path.
 *
 * Attack (open redirect): `//evil.example`, `/\evil.example` and `/.//evil.example` lead to another host in some browser, and
 * control characters end the header. The redirect sends the parsed form, prefixed with the origin of the project.
 */
export function readProjectPath(text: string): string | null {
  if (/[^\x21-\x7e]|\\/.test(text) || new URLSearchParams({ text }).toString().length > longestPath)
    return null;
  if (!text.startsWith('/') || text.startsWith('//') || !URL.canParse(text, anyOrigin)) return null;
  const { origin, pathname, search, hash } = new URL(text, anyOrigin);
  if (origin !== anyOrigin || pathname.startsWith('//')) return null;
  // Attack: returning to the callback itself would be an endless loop of redirects.
  return pathname === handoverPath ? null : `${pathname}${search}${hash}`;
}
