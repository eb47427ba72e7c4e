import { createPrivateKey, createPublicKey, X509Certificate } from 'node:crypto';
import type { Partially } from './check.ts';
import type { ConfigFault } from './faults.ts';
import { listenersConflict, sameAddress } from './listeners.ts';
import type { Settings } from './schema/platform.ts';
import { isTree, type Tree } from './tree.ts';

/** A rule for several keys. It ignores keys that have a fault. */
type Check = (settings: Partially<Settings>) => readonly ConfigFault[];

const checks: readonly Check[] = [
  secureCookies,
  publicKeyMatches,
  loginIsComplete,
  oneWayOfSigning,
  wholeTls,
  ownAddresses,
  headersBeforeRequest,
];

/** Every fault in the combination of keys; `tree` is the configuration that the settings were read from. */
export function crossCheck(settings: Partially<Settings>, tree: Tree): ConfigFault[] {
  return [...checks.flatMap((check) => check(settings)), ...repeatedIds(tree)];
}

// Attack: a session cookie without Secure is sent over plain http after a downgrade.
function secureCookies({ server }: Partially<Settings>): ConfigFault[] {
  const https = server?.public_url?.startsWith('https:') ?? false;
  if (!https || server?.cookie_secure !== false) return [];
  return [{ key: 'server.cookie_secure', message: 'must be true when server.public_url is https' }];
}

// Node.js refuses to serve otherwise.
function headersBeforeRequest({ server }: Partially<Settings>): ConfigFault[] {
  const { headers_timeout_seconds: headers = 0, request_timeout_seconds: whole = headers } = server ?? {};
  if (whole >= headers) return [];
  const message = 'must not be less than server.headers_timeout_seconds';
  return [{ key: 'server.request_timeout_seconds', message }];
}

/** The development settings may have no certificate: the launcher generates one. */
function wholeTls({ server }: Partially<Settings>): ConfigFault[] {
  if (server === undefined || !('tls_certificate_pem' in server && 'tls_private_key_pem' in server))
    return [];
  const { tls_certificate_pem: certificate, tls_private_key_pem: key } = server;
  if (certificate === undefined && key === undefined) return [];
  if (certificate === undefined || key === undefined) {
    const missing = certificate === undefined ? 'tls_certificate_pem' : 'tls_private_key_pem';
    return [{ key: `server.${missing}`, message: 'is required: a certificate and its key belong together' }];
  }
  if (new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key))) return [];
  return [{ key: 'server.tls_private_key_pem', message: 'does not match server.tls_certificate_pem' }];
}

/** The listeners of one process. */
function ownAddresses({ server }: Partially<Settings>): ConfigFault[] {
  const keys = ['listen', 'tls_listen', 'metrics_listen'] as const;
  return keys.flatMap((key, index) => {
    const address = server?.[key];
    if (address === undefined) return [];
    for (const other of keys.slice(0, index)) {
      const earlier = server?.[other];
      if (earlier === undefined || !listenersConflict(earlier, address)) continue;
      const message = sameAddress(earlier, address)
        ? `repeats server.${other}`
        : `cannot use the port of server.${other}: one of the two is a wildcard address, which takes the port of all addresses`;
      return [{ key: `server.${key}`, message }];
    }
    return [];
  });
}

function publicKeyMatches({ server }: Partially<Settings>): ConfigFault[] {
  const { rs256_private_key_pem: privatePem, rs256_public_key_pem: publicPem } = server ?? {};
  const key = 'server.rs256_public_key_pem';
  if (server === undefined || publicPem === undefined || !('rs256_private_key_pem' in server)) return [];
  if (privatePem === undefined) return [{ key, message: 'needs server.rs256_private_key_pem' }];
  if (spki(privatePem).equals(spki(publicPem))) return [];
  return [{ key, message: 'does not match server.rs256_private_key_pem' }];
}

function spki(pem: string): Buffer {
  return createPublicKey(pem).export({ type: 'spki', format: 'der' });
}

function loginIsComplete({ auth }: Partially<Settings>): ConfigFault[] {
  const keys = ['issuer', 'client_id', 'client_secret'] as const;
  // A key with a fault is missing here. It counts as present, because its fault is already reported.
  const given = keys.filter((key) => auth !== undefined && (!(key in auth) || auth[key] !== undefined));
  if (given.length === 0 || given.length === keys.length) return [];
  return keys
    .filter((key) => !given.includes(key))
    .map((key) => ({
      key: `auth.${key}`,
      message: `is required together with auth.${given.join(', auth.')}`,
    }));
}

// Merging the two would leave it open which of them signs.
function oneWayOfSigning({ server }: Partially<Settings>): ConfigFault[] {
  const { jwt_signing_secret: only, jwt_signing_secrets: several = [] } = server ?? {};
  if (only === undefined || several.length === 0) return [];
  const message =
    'cannot be used with server.jwt_signing_secret: remove that key and put its secret into the list';
  return [{ key: 'server.jwt_signing_secrets', message }];
}

/**
 * Ids that a list has twice. They are read from the text of the configuration: a list with any other fault is missing in the settings, and
 * its repeated ids would only be reported once that is corrected.
 */
function repeatedIds(tree: Tree): ConfigFault[] {
  return [
    ...repeatedIn(listIn(tree, 'server', 'jwt_signing_secrets'), 'server.jwt_signing_secrets', ''),
    ...repeatedIn(listIn(tree, 'auth', 'controllers').map(idOf), 'auth.controllers', '.id'),
    ...repeatedIn(listIn(tree, 'encryption', 'keys').map(idOf), 'encryption.keys', '.id'),
  ];
}

function listIn(tree: Tree, section: string, key: string): readonly unknown[] {
  const values = tree[section];
  const list = isTree(values) ? values[key] : undefined;
  return Array.isArray(list) ? list : [];
}

function idOf(entry: unknown): unknown {
  return isTree(entry) ? entry['id'] : undefined;
}

function repeatedIn(ids: readonly unknown[], list: string, member: string): ConfigFault[] {
  return ids.flatMap((id, index) => {
    const first = ids.indexOf(id);
    return typeof id !== 'string' || first === index
      ? []
      : [{ key: `${list}[${index}]${member}`, message: `repeats ${list}[${first}]${member}` }];
  });
}
