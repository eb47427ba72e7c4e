/**
 * Whether a text contains a token of this platform: the claims of a JWS whose `iss` is the platform or one of its extensions. The signature
 * does not matter, because such tokens are only rejected.
 *
 * Attack: a user is tricked into sending a session token to an attacker's extension, whose provider would receive it through
 * `userinfo`, `revoke` or a refresh and could use it at the platform. A command that the attacker wrote may put something around the token, or
 * escape its dots; it could hide it altogether, which nobody can find.
 */
export function isPlatformToken(text: string, publicUrl: string): boolean {
  const segments = text.replaceAll(/%2e/gi, '.').match(claimsSegment) ?? [];
  return segments.some((segment) => {
    const issuer = issuerIn(segment);
    return issuer !== null && (issuer === publicUrl || issuer.startsWith(`${publicUrl}/`));
  });
}

/** The base64url of claims with an `iss`. Attack: thousands of shorter segments, each of which fails to parse, keep the process busy. */
const claimsSegment = /[\w-]{15,}/g;

function issuerIn(payload: string): string | null {
  try {
    const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'));
    const issuer = (claims as { readonly iss?: unknown } | null)?.iss;
    return typeof issuer === 'string' ? issuer : null;
  } catch {
    return null;
  }
}
