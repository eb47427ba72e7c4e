import { handoverPath } from '../model/handover.ts';

// A path travels in the cookie of a login, which browsers drop beyond 4096 bytes (RFC 6265bis section 5.7).
const longestPath = 1536;
const anyOrigin = 'https://project.invalid';

/**
 * Reads the path at which a visitor arrives on the project's host; null when it is no path.
 *
 * Attack (open redirect): `//evil.example`, `/\evil.example` and `/.//evil.example` lead to another host in some browser, and
 * control characters end the header. What was parsed is what is sent, behind the origin of the project.
 */
export function readProjectPath(text: string): string | null {
  if (/[^\x21-\x7e]|\\/.test(text) || new URLSearchParams({ text }).toString().length > longestPath)
    return null;
  if (!text.startsWith('/') || text.startsWith('//') || !URL.canParse(text, anyOrigin)) return null;
  const { origin, pathname, search, hash } = new URL(text, anyOrigin);
  if (origin !== anyOrigin || pathname.startsWith('//')) return null;
  // The way back must not begin the way again.
  return pathname === handoverPath ? null : `${pathname}${search}${hash}`;
}
