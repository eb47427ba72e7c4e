import { createHash } from 'node:crypto';
import { equalInConstantTime } from './secrets.ts';

/** RFC 7636, section 4.2: the base64url of a SHA-256 hash, without padding. */
const challengePattern = /^[A-Za-z0-9_-]{43}$/;
/** RFC 7636, section 4.1. */
const verifierPattern = /^[A-Za-z0-9._~-]{43,128}$/;

/** Whether a text is a well-formed S256 challenge. */
export function isChallenge(text: string): boolean {
  return challengePattern.test(text);
}

/** The S256 challenge of a verifier (RFC 7636, section 4.2). */
export function challengeOf(verifier: string): string {
  return createHash('sha256').update(verifier, 'ascii').digest('base64url');
}

/** Whether `verifier` is well-formed and matches `challenge`. Compares in constant time. */
export function verifiesChallenge(verifier: string, challenge: string): boolean {
  return verifierPattern.test(verifier) && equalInConstantTime(challengeOf(verifier), challenge);
}
