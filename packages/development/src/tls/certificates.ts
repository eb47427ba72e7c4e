import { X509Certificate } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generate } from 'selfsigned';

/** The certificates and key of a TLS listener on a development machine, in PEM. */
export interface DevelopmentCertificates {
  /** For clients: the authority that they have to trust. */
  readonly authority: string;
  readonly certificate: string;
  readonly privateKey: string;
}

const day = 24 * 60 * 60 * 1000;
/** Clients refuse certificates of servers that are valid for longer than 398 days. */
const validity = { authority: 3_650 * day, server: 397 * day };

const names = [
  { type: 2, value: 'localhost' },
  { type: 7, ip: '127.0.0.1' },
  { type: 7, ip: '::1' },
] as const;

/**
 * The certificates in `<dataDir>/tls`. The authority is made once, so that clients which trust it go on doing so; the certificate of the server
 * is made for every start, and its key is in memory only.
 */
export async function developmentCertificates(
  dataDir: string,
  now: number,
): Promise<DevelopmentCertificates> {
  const authority = readAuthority(dataDir, now) ?? (await makeAuthority(dataDir, now));
  const made = await generate([{ name: 'commonName', value: 'localhost' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    ca: authority,
    ...span(now, validity.server),
    extensions: [
      { name: 'basicConstraints', cA: false, critical: true },
      { name: 'keyUsage', digitalSignature: true, critical: true },
      { name: 'extKeyUsage', serverAuth: true },
      { name: 'subjectAltName', altNames: [...names] },
    ],
  });
  return { authority: authority.cert, certificate: made.cert, privateKey: made.private };
}

interface Authority {
  readonly key: string;
  readonly cert: string;
}

const filesIn = (dataDir: string) => ({
  key: join(dataDir, 'tls', 'ca-key.pem'),
  cert: join(dataDir, 'tls', 'ca.pem'),
});

/** Null when there is none, or it is about to expire. */
function readAuthority(dataDir: string, now: number): Authority | null {
  const files = filesIn(dataDir);
  try {
    const cert = readFileSync(files.cert, 'utf8');
    if (Date.parse(new X509Certificate(cert).validTo) < now + validity.server) return null;
    return { key: readFileSync(files.key, 'utf8'), cert };
  } catch {
    return null;
  }
}

async function makeAuthority(dataDir: string, now: number): Promise<Authority> {
  const made = await generate([{ name: 'commonName', value: 'Platform development CA' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    ...span(now, validity.authority),
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
    ],
  });
  const files = filesIn(dataDir);
  mkdirSync(join(dataDir, 'tls'), { recursive: true, mode: 0o700 });
  // Attack: a process that reads the key of the authority impersonates any server to clients that trust it.
  writeFileSync(files.key, made.private, { mode: 0o600 });
  writeFileSync(files.cert, made.cert);
  return { key: made.private, cert: made.cert };
}

/** From a minute ago, because clocks differ. */
function span(now: number, length: number): { notBeforeDate: Date; notAfterDate: Date } {
  return { notBeforeDate: new Date(now - 60_000), notAfterDate: new Date(now + length) };
}
