import { createSecretKey, type KeyObject } from 'node:crypto';

/** The minimum length of a decoded signing secret, in bytes. */
const minSecretBytes = 32;

/** Either alphabet of RFC 4648, with or without padding. */
const base64Pattern = /^[A-Za-z0-9+/_-]+={0,2}$/;

/**
 * Reads an entry of `server.jwt_signing_secrets`: base64 of at least 32 bytes. Throws otherwise, without quoting it. Returns a KeyObject,
 * because jsonwebtoken would otherwise create one for every verification, which is much slower.
 */
export function readSigningSecret(base64: string): KeyObject {
  const trimmed = base64.trim();
  if (!base64Pattern.test(trimmed)) throw new Error('the signing secret is not base64');
  const bytes = Buffer.from(trimmed, 'base64');
  if (bytes.length < minSecretBytes) {
    throw new Error(`the signing secret is shorter than ${minSecretBytes} bytes`);
  }
  return createSecretKey(bytes);
}
