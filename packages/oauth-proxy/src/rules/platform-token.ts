/**
 * Whether a text is a token that this platform issued: a JWS whose `iss` is the platform or one of its extensions. The signature
 * does not matter, because the token is only refused.
 *
 * Attack: a session token is sent by mistake or by a trick to an extension of a stranger, whose provider would get it from
 * `userinfo`, `revoke` or a refresh, and could use it at the platform.
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
