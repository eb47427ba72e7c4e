/**
 * Whether a text is a token of this platform: a JWS whose `iss` is the platform or one of its extensions. The signature does not
 * matter, because such tokens are only rejected.
 *
 * Attack: a user is tricked into sending a session token to an attacker's extension, whose provider would receive it through
 * `userinfo`, `revoke` or a refresh and could use it at the platform.
 */
export function isPlatformToken(text: string, publicUrl: string): boolean {
  const parts = text.split('.');
  if (parts.length !== 3) return false;
  const issuer = issuerIn(parts[1] ?? '');
  return issuer !== null && (issuer === publicUrl || issuer.startsWith(`${publicUrl}/`));
}

function issuerIn(payload: string): string | null {
  try {
    const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'));
    const issuer = (claims as { readonly iss?: unknown } | null)?.iss;
    return typeof issuer === 'string' ? issuer : null;
  } catch {
    return null;
  }
}
