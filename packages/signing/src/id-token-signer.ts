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
} from '@platform/oauth-proxy';
import { CompactSign, calculateJwkThumbprint, exportJWK, generateKeyPair } from 'jose';
import { LRUCache } from 'lru-cache';

/** What the signer is made of. */
export interface SignerOptions {
  readonly store: SigningKeyStore;
  readonly sealer: Sealer;
  readonly clock: Clock;
}

/** How long the stored keys are believed, in milliseconds: a fraction of the day that a new key is announced for. */
const cacheMs = 60_000;
/** Extensions whose keys are remembered, at most: opening a private key costs more than reading it. */
const maxExtensions = 1_000;
const modulusBits = 2048;

/** The keys of one extension, with the private part of the one that signs. */
interface OpenedKeys {
  readonly plan: SigningKeyPlan;
  readonly privateKey: KeyObject | null;
  readonly readAt: number;
}

/**
 * Signs the ID tokens of the proxy with keys of each extension that are made on first need, kept sealed in the database for all
 * replicas, and replaced by themselves (see `signingKeyLife`).
 */
export function createIdTokenSigner({ store, sealer, clock }: SignerOptions): IdTokenSigner {
  const cached = new LRUCache<string, OpenedKeys>({ max: maxExtensions });
  const running = new Map<string, Promise<OpenedKeys>>();

  /** The private part as JSON, or null when the encryption key that sealed it is gone. */
  const unseal = (extensionUid: string, key: StoredSigningKey): string | null =>
    sealer.unseal(key.sealedPrivateKey, signingKeyContext(extensionUid)) ??
    sealer.unseal(key.sealedPrivateKey, sharedKeyContext);

  async function load(extensionUid: string): Promise<OpenedKeys> {
    const usable = (key: StoredSigningKey) => unseal(extensionUid, key) !== null;
    const shared = await store.listShared();
    let plan = planSigningKeys(await store.list(extensionUid), usable, clock.now(), shared);
    if (plan.due !== null) {
      await store.add(extensionUid, await newKey(extensionUid, plan.due, sealer, clock));
      // Another replica may have been faster: what is stored counts, not what was made here.
      plan = planSigningKeys(await store.list(extensionUid), usable, clock.now(), shared);
    }
    if (plan.removeBelow > 1) await store.removeBelow(extensionUid, plan.removeBelow);
    const jwk = plan.signing === null ? null : unseal(extensionUid, plan.signing);
    const privateKey = jwk === null ? null : createPrivateKey({ key: JSON.parse(jwk), format: 'jwk' });
    const opened = { plan, privateKey, readAt: clock.now() };
    cached.set(extensionUid, opened);
    return opened;
  }

  function keysOf(extensionUid: string): Promise<OpenedKeys> {
    const known = cached.get(extensionUid);
    if (known !== undefined && clock.now() - known.readAt < cacheMs) return Promise.resolve(known);
    const loading =
      running.get(extensionUid) ?? load(extensionUid).finally(() => running.delete(extensionUid));
    running.set(extensionUid, loading);
    return loading;
  }

  return {
    async sign(extensionUid, claims) {
      const { plan, privateKey } = await keysOf(extensionUid);
      if (plan.signing === null || privateKey === null)
        throw new Error('no signing key of the extension can be opened');
      return new CompactSign(Buffer.from(JSON.stringify(claims)))
        .setProtectedHeader({ alg: 'RS256', typ: 'JWT', kid: String(plan.signing.publicKey['kid']) })
        .sign(privateKey);
    },
    async publicKeys(extensionUid) {
      return (await keysOf(extensionUid)).plan.published.map((key) => key.publicKey);
    },
  };
}

async function newKey(
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
