import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
} from 'node:crypto';
import type { Fault } from '@platform/kernel';

/** The RS256 keys of the configuration, in PEM. */
export interface RsaKeyConfig {
  /** `server.rs256_private_key_pem`; generated if absent. */
  readonly privateKeyPem?: string | undefined;
  /** `server.rs256_public_key_pem`; must belong to the private key. */
  readonly publicKeyPem?: string | undefined;
  /** `server.rs256_retired_public_keys_pem`: published, but not used to sign. */
  readonly retiredPublicKeysPem?: readonly string[] | undefined;
}

/** A public key in the JWKS (RFC 7517). Contains only public members. */
export interface PublishedKey {
  readonly kty: 'RSA';
  readonly use: 'sig';
  readonly alg: 'RS256';
  /** RFC 7638 thumbprint. */
  readonly kid: string;
  readonly n: string;
  readonly e: string;
}

/** The signing key, and every public key for verifying current and earlier tokens. */
export interface RsaKeyRing {
  readonly kid: string;
  readonly privateKey: KeyObject;
  /** By `kid`: the current key and the retired ones. */
  readonly publicKeys: ReadonlyMap<string, KeyObject>;
  /** The JWKS document, the current key first. */
  readonly jwks: { readonly keys: readonly PublishedKey[] };
  /** Whether the key pair was just generated. Its tokens become invalid when this process exits. */
  readonly generated: boolean;
}

const minModulusBits = 2048;

/** Every fault of the configured keys; empty if {@link createRsaKeyRing} will succeed. Paths are below `at`. */
export function rsaKeyFaults(config: RsaKeyConfig, at = '/server'): readonly Fault[] {
  const faults: Fault[] = [];
  const fault = (key: string, message: string) => faults.push({ path: `${at}/${key}`, message });
  const check = (key: string, pem: string, read: (pem: string) => KeyObject): KeyObject | undefined => {
    try {
      const found = read(pem);
      if (found.asymmetricKeyType !== 'rsa') fault(key, 'is not an RSA key');
      else if ((found.asymmetricKeyDetails?.modulusLength ?? 0) < minModulusBits) {
        fault(key, `is shorter than ${minModulusBits} bits`);
      } else return found;
    } catch {
      // The cause could contain the key, so it is not included.
      fault(key, 'is not a readable PEM key');
    }
    return undefined;
  };
  const { privateKeyPem, publicKeyPem, retiredPublicKeysPem = [] } = config;
  const privateKey =
    privateKeyPem === undefined ? undefined : check('rs256_private_key_pem', privateKeyPem, createPrivateKey);
  if (publicKeyPem !== undefined) {
    const publicKey = check('rs256_public_key_pem', publicKeyPem, createPublicKey);
    if (privateKeyPem === undefined) fault('rs256_public_key_pem', 'needs rs256_private_key_pem');
    else if (publicKey && privateKey && !createPublicKey(privateKey).equals(publicKey)) {
      fault('rs256_public_key_pem', 'does not belong to rs256_private_key_pem');
    }
  }
  for (const [index, pem] of retiredPublicKeysPem.entries()) {
    check(`rs256_retired_public_keys_pem/${index}`, pem, createPublicKey);
  }
  return faults;
}

/** Reads the configured keys, or generates a key pair. Throws if {@link rsaKeyFaults} finds a fault. */
export function createRsaKeyRing(config: RsaKeyConfig): RsaKeyRing {
  const [fault] = rsaKeyFaults(config);
  if (fault !== undefined) throw new Error(`${fault.path} ${fault.message}`);
  const generated = config.privateKeyPem === undefined;
  const privateKey =
    config.privateKeyPem === undefined
      ? generateKeyPairSync('rsa', { modulusLength: minModulusBits }).privateKey
      : createPrivateKey(config.privateKeyPem);
  const retired = (config.retiredPublicKeysPem ?? []).map((pem) => createPublicKey(pem));
  const current = createPublicKey(privateKey);
  const publicKeys = new Map<string, KeyObject>();
  const published: PublishedKey[] = [];
  for (const key of [current, ...retired]) {
    const jwk = publish(key);
    if (publicKeys.has(jwk.kid)) continue;
    publicKeys.set(jwk.kid, key);
    published.push(jwk);
  }
  return { kid: publish(current).kid, privateKey, publicKeys, jwks: { keys: published }, generated };
}

function publish(key: KeyObject): PublishedKey {
  const { n, e } = key.export({ format: 'jwk' });
  if (n === undefined || e === undefined) throw new Error('not an RSA key');
  return { kty: 'RSA', use: 'sig', alg: 'RS256', kid: thumbprint(n, e), n, e };
}

/** The thumbprint of RFC 7638 section 3: the hash of the required members in lexical order, without white space. */
function thumbprint(n: string, e: string): string {
  return createHash('sha256')
    .update(JSON.stringify({ e, kty: 'RSA', n }))
    .digest('base64url');
}
