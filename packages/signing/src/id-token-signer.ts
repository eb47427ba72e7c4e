import { createPrivateKey, type KeyObject } from 'node:crypto';
import type { Clock, Sealer } from '@platform/kernel';
import {
  type IdTokenSigner,
  planSigningKeys,
  type SigningKeyPlan,
  type SigningKeyStore,
  type StoredSigningKey,
  signingKeyContext,
} from '@platform/oauth-proxy';
import { CompactSign, calculateJwkThumbprint, exportJWK, generateKeyPair } from 'jose';

/** What the signer is made of. */
export interface SignerOptions {
  readonly store: SigningKeyStore;
  readonly sealer: Sealer;
  readonly clock: Clock;
}

/** How long the stored keys are believed, in milliseconds: a fraction of the day that a new key is announced for. */
const CACHE_MS = 60_000;
const MODULUS_BITS = 2048;

/**
 * Signs the ID tokens of the proxy with keys that are made on first need, kept sealed in the database for all replicas, and
 * replaced by themselves (see `signingKeyLife`).
 */
export function createIdTokenSigner(options: SignerOptions): IdTokenSigner {
  const { store, sealer, clock } = options;
  const opened = new Map<string, KeyObject | null>();
  let cached: { readonly plan: SigningKeyPlan; readonly at: number } | null = null;
  let running: Promise<SigningKeyPlan> | null = null;

  /** The private part, or null when the encryption key that sealed it is gone. */
  function open(key: StoredSigningKey): KeyObject | null {
    const known = opened.get(key.sealedPrivateKey);
    if (known !== undefined) return known;
    const jwk = sealer.unseal(key.sealedPrivateKey, signingKeyContext);
    const found = jwk === null ? null : createPrivateKey({ key: JSON.parse(jwk), format: 'jwk' });
    opened.set(key.sealedPrivateKey, found);
    return found;
  }

  async function load(): Promise<SigningKeyPlan> {
    const usable = (key: StoredSigningKey) => open(key) !== null;
    let plan = planSigningKeys(await store.list(), usable, clock.now());
    if (plan.due !== null) {
      await store.add(await newKey(plan.due, sealer, clock));
      // Another replica may have been faster: what is stored counts, not what was made here.
      plan = planSigningKeys(await store.list(), usable, clock.now());
    }
    if (plan.removeBelow > 1) await store.removeBelow(plan.removeBelow);
    cached = { plan, at: clock.now() };
    return plan;
  }

  function plan(): Promise<SigningKeyPlan> {
    if (cached !== null && clock.now() - cached.at < CACHE_MS) return Promise.resolve(cached.plan);
    running ??= load().finally(() => {
      running = null;
    });
    return running;
  }

  return {
    async sign(claims) {
      const { signing } = await plan();
      const privateKey = signing === null ? null : open(signing);
      if (signing === null || privateKey === null)
        throw new Error('no signing key of the proxy can be opened');
      return new CompactSign(Buffer.from(JSON.stringify(claims)))
        .setProtectedHeader({ alg: 'RS256', typ: 'JWT', kid: String(signing.publicKey['kid']) })
        .sign(privateKey);
    },
    async publicKeys() {
      return (await plan()).published.map((key) => key.publicKey);
    },
  };
}

async function newKey(sequence: number, sealer: Sealer, clock: Clock): Promise<StoredSigningKey> {
  const { privateKey } = await generateKeyPair('RS256', { modulusLength: MODULUS_BITS, extractable: true });
  const jwk = await exportJWK(privateKey);
  const { kty, n, e } = jwk;
  return {
    sequence,
    publicKey: { kty, use: 'sig', alg: 'RS256', kid: await calculateJwkThumbprint(jwk), n, e },
    sealedPrivateKey: sealer.seal(JSON.stringify(jwk), signingKeyContext),
    createdAt: clock.now(),
  };
}
