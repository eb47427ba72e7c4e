import { createPrivateKey, type KeyObject } from 'node:crypto';
import type { Clock, Sealer } from '@platform/kernel';
import {
  type IdTokenSigner,
  planSigningKeys,
  type SigningKeyPlan,
  type SigningKeyStore,
  type StoredSigningKey,
  sharedKeyContext,
  signingKeyContext,
  stringifyExact,
} from '@platform/oauth-proxy';
import { CompactSign, calculateJwkThumbprint, exportJWK, generateKeyPair } from 'jose';
import { LRUCache } from 'lru-cache';

/** The dependencies of the signer. */
export interface IdTokenSignerDeps {
  readonly store: SigningKeyStore;
  readonly sealer: Sealer;
  readonly clock: Clock;
}

/** How long stored keys are cached, in milliseconds. Must be shorter than the announcement period of a new key. */
const cacheMs = 60_000;
/** The maximum number of extensions with cached keys. Unsealing a private key costs more than reading it. */
const maxExtensions = 1_000;
const modulusBits = 2048;

/** The keys of one extension, with the private part of the signing key. */
interface UnsealedKeys {
  readonly plan: SigningKeyPlan;
  readonly privateKey: KeyObject | null;
  readonly readAt: number;
}

/**
 * Signs the ID tokens of the OAuth proxy. The keys of each extension are created on first use, stored sealed in the database for all
 * replicas, and rotated automatically (see `signingKeyLife`).
 */
export function createIdTokenSigner({ store, sealer, clock }: IdTokenSignerDeps): IdTokenSigner {
  const cached = new LRUCache<string, UnsealedKeys>({ max: maxExtensions });
  const running = new Map<string, Promise<UnsealedKeys>>();

  /** The private part as JSON, or null if its encryption key is no longer configured. */
  const unseal = (extensionUid: string, key: StoredSigningKey): string | null =>
    sealer.unseal(key.sealedPrivateKey, signingKeyContext(extensionUid)) ??
    sealer.unseal(key.sealedPrivateKey, sharedKeyContext);

  async function load(extensionUid: string): Promise<UnsealedKeys> {
    const usable = (key: StoredSigningKey) => unseal(extensionUid, key) !== null;
    const shared = await store.listShared();
    let plan = planSigningKeys(await store.list(extensionUid), usable, clock.now(), shared);
    if (plan.due !== null) {
      await store.add(extensionUid, await createKey(extensionUid, plan.due, sealer, clock));
      // Another replica may have been faster, so only the stored key is used.
      plan = planSigningKeys(await store.list(extensionUid), usable, clock.now(), shared);
    }
    if (plan.removeBelow > 1) await store.removeBelow(extensionUid, plan.removeBelow);
    const jwk = plan.signing === null ? null : unseal(extensionUid, plan.signing);
    const privateKey = jwk === null ? null : createPrivateKey({ key: JSON.parse(jwk), format: 'jwk' });
    const opened = { plan, privateKey, readAt: clock.now() };
    cached.set(extensionUid, opened);
    return opened;
  }

  function keysOf(extensionUid: string): Promise<UnsealedKeys> {
    const known = cached.get(extensionUid);
    // Accident: a clock that is set back keeps the keys for as long as it was wrong, and without those of other replicas.
    const age = known === undefined ? -1 : clock.now() - known.readAt;
    if (known !== undefined && age >= 0 && age < cacheMs) return Promise.resolve(known);
    const loading =
      running.get(extensionUid) ?? load(extensionUid).finally(() => running.delete(extensionUid));
    running.set(extensionUid, loading);
    return loading;
  }

  return {
    async sign(extensionUid, claims) {
      const { plan, privateKey } = await keysOf(extensionUid);
      // A key is stored for every extension that exists, and one that cannot be opened is replaced.
      if (plan.signing === null || privateKey === null) return null;
      return new CompactSign(Buffer.from(stringifyExact(claims)))
        .setProtectedHeader({ alg: 'RS256', typ: 'JWT', kid: String(plan.signing.publicKey['kid']) })
        .sign(privateKey);
    },
    async publicKeys(extensionUid) {
      return (await keysOf(extensionUid)).plan.published.map((key) => key.publicKey);
    },
  };
}

async function createKey(
  extensionUid: string,
  sequence: number,
  sealer: Sealer,
  clock: Clock,
): Promise<StoredSigningKey> {
  const { privateKey } = await generateKeyPair('RS256', { modulusLength: modulusBits, extractable: true });
  const jwk = await exportJWK(privateKey);
  const { kty, n, e } = jwk;
  return {
    sequence,
    publicKey: { kty, use: 'sig', alg: 'RS256', kid: await calculateJwkThumbprint(jwk), n, e },
    sealedPrivateKey: sealer.seal(JSON.stringify(jwk), signingKeyContext(extensionUid)),
    createdAt: clock.now(),
  };
}
