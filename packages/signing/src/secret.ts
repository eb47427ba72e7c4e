import { createSecretKey, hash, type KeyObject } from 'node:crypto';

/** The shortest signing secret, decoded, in bytes. */
const MIN_SECRET_BYTES = 32;

/** Either alphabet of RFC 4648, with or without padding. */
const BASE64 = /^[A-Za-z0-9+/_-]+={0,2}$/;

/**
 * Reads an entry of `server.jwt_signing_secrets`: base64 of at least 32 bytes; throws otherwise, without quoting it.
 * A KeyObject, because jsonwebtoken turns a text or a Buffer into one with every verification, which is
 * forty times slower.
 */
export function readSigningSecret(base64: string): KeyObject {
  const trimmed = base64.trim();
  if (!BASE64.test(trimmed)) throw new Error('the signing secret is not base64');
  const bytes = Buffer.from(trimmed, 'base64');
  if (bytes.length < MIN_SECRET_BYTES) {
    throw new Error(`the signing secret is shorter than ${MIN_SECRET_BYTES} bytes`);
  }
  return createSecretKey(bytes);
}

/** SHA-256 of a token: what a cache may know it by. */
export function fingerprint(token: string): string {
  return hash('sha256', token, 'base64url');
}
