import { createPublicKey, type KeyObject } from 'node:crypto';
import type { ExternalKey, OwnAlgorithm, SignatureVerifier, Signer } from '@platform/tokens';
import jwt from 'jsonwebtoken';
import type { RsaKeyRing } from './rsa-keys.ts';

/** The keys of the platform's own tokens. */
export interface JsonWebTokenKeys {
  /** From `readSigningSecret`. The first signs, all verify. */
  readonly secrets: readonly [KeyObject, ...KeyObject[]];
  readonly ring: RsaKeyRing;
}

/** Creates and verifies signatures with jsonwebtoken. */
export function createJsonWebTokens(keys: JsonWebTokenKeys): Signer & SignatureVerifier {
  const { secrets, ring } = keys;
  const decoy = createPublicKey(ring.privateKey);
  const external = new WeakMap<ExternalKey, KeyObject>();

  /** Parsing a PEM costs more than a verification, so each key is parsed once. */
  function read(key: ExternalKey): KeyObject {
    const known = external.get(key) ?? createPublicKey(key.pem);
    external.set(key, known);
    return known;
  }

  return {
    sign({ header: { alg, typ }, claims }) {
      const header = alg === 'HS256' ? { alg, typ } : { alg, typ, kid: ring.kid };
      return jwt.sign({ ...claims }, alg === 'HS256' ? secrets[0] : ring.privateKey, {
        algorithm: alg,
        header,
      });
    },
    verifyOwn(token, alg) {
      // HS256 tokens have no `kid`, so that programs that mint sessions themselves need not know it.
      if (alg === 'HS256') return secrets.some((secret) => isSigned(token, secret, alg));
      const key = publicKeyOf(ring, kidOf(token));
      return key !== undefined && isSigned(token, key, alg);
    },
    verifyExternal(token, key) {
      const signed = isSigned(token, key === undefined ? decoy : read(key), 'RS256');
      return signed && key !== undefined;
    },
  };
}

/** Attack: a `kid` that is a path, an SQL statement or a member of a prototype. It is only used as the key of a Map. */
function publicKeyOf(ring: RsaKeyRing, kid: unknown): KeyObject | undefined {
  return typeof kid === 'string' ? ring.publicKeys.get(kid) : undefined;
}

function kidOf(token: string): unknown {
  try {
    return jwt.decode(token, { complete: true })?.header.kid;
  } catch {
    return undefined;
  }
}

/** Checks only the signature. Token kinds check the times, with the clock that they are given; jsonwebtoken would use the system clock. */
function isSigned(token: string, key: KeyObject, alg: OwnAlgorithm): boolean {
  try {
    jwt.verify(token, key, { algorithms: [alg], ignoreExpiration: true, ignoreNotBefore: true });
    return true;
  } catch {
    return false;
  }
}
