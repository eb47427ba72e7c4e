import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import type { Fault, KeyRing, SealContext } from '@platform/kernel';

/** One entry of `encryption.keys`. */
export interface EncryptionKey {
  readonly id: string;
  /** Base64 of 32 bytes. */
  readonly key: string;
}

const algorithm = 'aes-256-gcm';
/** A random nonce of 96 bits allows 2^32 texts per key (NIST SP 800-38D, section 8.3). */
const nonceBytes = 12;
const tagBytes = 16;
const formatVersion = 'v1';

/** Every fault of the configured keys; empty if {@link createSealer} will succeed. */
export function encryptionKeyFaults(
  keys: readonly EncryptionKey[],
  at = '/encryption/keys',
): readonly Fault[] {
  const faults: Fault[] = [];
  if (keys.length === 0) faults.push({ path: at, message: 'needs at least one key' });
  const ids = new Set<string>();
  for (const [index, { id, key }] of keys.entries()) {
    if (!/^[A-Za-z0-9_-]{1,64}$/.test(id)) {
      faults.push({
        path: `${at}/${index}/id`,
        message: 'must be 1 to 64 letters, digits, hyphens or underscores',
      });
    }
    if (ids.has(id)) faults.push({ path: `${at}/${index}/id`, message: 'is used twice' });
    ids.add(id);
    // Either alphabet of RFC 4648, with or without padding, as for signing secrets.
    if (!/^[A-Za-z0-9+/_-]{43}=?$/.test(key)) {
      faults.push({ path: `${at}/${index}/key`, message: 'must be base64 of 32 bytes' });
    }
  }
  return faults;
}

/**
 * Creates a sealer on AES-256-GCM. The first key encrypts and all keys decrypt, so a key is rotated by inserting a new one at the front.
 * A sealed text is `v1.<key id>.<base64url of nonce, ciphertext and tag>`. Throws if {@link encryptionKeyFaults} finds a fault.
 */
export function createSealer(keys: readonly EncryptionKey[]): KeyRing {
  const [fault] = encryptionKeyFaults(keys);
  if (fault !== undefined) throw new Error(`${fault.path} ${fault.message}`);
  const ring = new Map(keys.map(({ id, key }) => [id, createSecretKey(Buffer.from(key, 'base64'))]));
  const [current] = ring;
  if (current === undefined) throw new Error('unreachable: the list of keys is not empty');
  const [currentId, currentKey] = current;

  return {
    currentKey: currentId,
    keyOf: keyIdOf,
    seal(plaintext, context) {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv(algorithm, currentKey, nonce, { authTagLength: tagBytes });
      cipher.setAAD(associatedData(currentId, context));
      const text = Buffer.concat([
        nonce,
        cipher.update(plaintext, 'utf8'),
        cipher.final(),
        cipher.getAuthTag(),
      ]);
      return `${formatVersion}.${currentId}.${text.toString('base64url')}`;
    },
    unseal(sealed, context) {
      const id = keyIdOf(sealed);
      const key = id === null ? undefined : ring.get(id);
      if (id === null || key === undefined) return null;
      const encoded = sealed.slice(sealed.lastIndexOf('.') + 1);
      const bytes = Buffer.from(encoded, 'base64url');
      // Attack: the decoder skips invalid characters, so one sealed text would have several spellings.
      if (bytes.toString('base64url') !== encoded) return null;
      return open(key, bytes, associatedData(id, context));
    },
  };
}

/** The id of the key that a sealed text names; null for other texts. */
function keyIdOf(sealed: string): string | null {
  const [version, id, encoded, ...rest] = sealed.split('.');
  return version === formatVersion && id !== undefined && encoded !== undefined && rest.length === 0
    ? id
    : null;
}

function open(key: KeyObject, bytes: Buffer, data: Buffer): string | null {
  // Attack: a shorter tag is easier to forge, and GCM would accept one (RFC 5116, section 5.1).
  if (bytes.length < nonceBytes + tagBytes) return null;
  const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, nonceBytes), {
    authTagLength: tagBytes,
  });
  decipher.setAAD(data);
  decipher.setAuthTag(bytes.subarray(-tagBytes));
  try {
    const plaintext = decipher.update(bytes.subarray(nonceBytes, -tagBytes));
    return Buffer.concat([plaintext, decipher.final()]).toString('utf8');
  } catch {
    return null;
  }
}

/**
 * The additional authenticated data: the version, the key id and the context, as JSON with sorted members.
 *
 * Attack: if the parts were joined by a separator, `{a: "x|b"}` would equal `{a: "x", b: ""}`. JSON is unambiguous.
 */
function associatedData(id: string, context: SealContext): Buffer {
  const members = Object.entries(context).sort(([a], [b]) => (a < b ? -1 : 1));
  return Buffer.from(JSON.stringify([formatVersion, id, members]));
}
