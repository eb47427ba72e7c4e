import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import type { Fault, KeyRing, SealContext } from '@platform/kernel';

/** One entry of `encryption.keys`. */
export interface EncryptionKey {
  readonly id: string;
  /** Base64 of 32 bytes. */
  readonly key: string;
}

const ALGORITHM = 'aes-256-gcm';
/** NIST SP 800-38D, section 8.2.2: 96 random bits allow 2^32 texts a key. A login seals three. */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const VERSION = 'v1';

/** Every fault of the configured keys; empty when {@link createSealer} will succeed. */
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
    if (!/^[A-Za-z0-9+/]{43}=$/.test(key)) {
      faults.push({ path: `${at}/${index}/key`, message: 'must be base64 of 32 bytes' });
    }
  }
  return faults;
}

/**
 * The port on AES-256-GCM. The first key encrypts, all decrypt, so a key is replaced by putting a new one in front.
 * A sealed text is `v1.<key id>.<base64url of nonce, ciphertext and tag>`. Throws when {@link encryptionKeyFaults} finds any.
 */
export function createSealer(keys: readonly EncryptionKey[]): KeyRing {
  const [fault] = encryptionKeyFaults(keys);
  if (fault !== undefined) throw new Error(`${fault.path} ${fault.message}`);
  const ring = new Map(keys.map(({ id, key }) => [id, createSecretKey(Buffer.from(key, 'base64'))]));
  const [current] = ring;
  if (current === undefined) throw new Error('unreachable: there is at least one key');
  const [currentId, currentKey] = current;

  return {
    currentKey: currentId,
    keyOf: sealingKeyOf,
    seal(plaintext, context) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(ALGORITHM, currentKey, nonce, { authTagLength: TAG_BYTES });
      cipher.setAAD(associatedData(currentId, context));
      const text = Buffer.concat([
        nonce,
        cipher.update(plaintext, 'utf8'),
        cipher.final(),
        cipher.getAuthTag(),
      ]);
      return `${VERSION}.${currentId}.${text.toString('base64url')}`;
    },
    unseal(sealed, context) {
      const id = sealingKeyOf(sealed);
      const key = id === null ? undefined : ring.get(id);
      if (id === null || key === undefined) return null;
      const encoded = sealed.slice(sealed.lastIndexOf('.') + 1);
      const bytes = Buffer.from(encoded, 'base64url');
      // Attack: the decoder skips what is not base64url, which would make a second spelling of one sealed text.
      if (bytes.toString('base64url') !== encoded) return null;
      return open(key, bytes, associatedData(id, context));
    },
  };
}

/** The id of the key that a text says it is sealed with; null when it is no sealed text. */
function sealingKeyOf(sealed: string): string | null {
  const [version, id, encoded, ...rest] = sealed.split('.');
  return version === VERSION && id !== undefined && encoded !== undefined && rest.length === 0 ? id : null;
}

function open(key: KeyObject, bytes: Buffer, data: Buffer): string | null {
  // Attack: a shorter tag is easier to forge; GCM would take one as short as 32 bits (RFC 5116, section 5.1).
  if (bytes.length < NONCE_BYTES + TAG_BYTES) return null;
  const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAAD(data);
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  try {
    const plaintext = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES));
    return Buffer.concat([plaintext, decipher.final()]).toString('utf8');
  } catch {
    return null;
  }
}

/**
 * What the tag covers besides the text: the version, the key id and the context, as JSON with sorted members.
 *
 * Attack: joining the parts by a separator lets `{a: "x|b"}` pass for `{a: "x", b: ""}`; JSON cannot be read in two ways.
 */
function associatedData(id: string, context: SealContext): Buffer {
  const members = Object.entries(context).sort(([a], [b]) => (a < b ? -1 : 1));
  return Buffer.from(JSON.stringify([VERSION, id, members]));
}
