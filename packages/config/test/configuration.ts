import { generateKeyPairSync } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { ConfigError, type LoadOptions, loadConfig } from '../src/index.ts';

export const secret = Buffer.alloc(32, 7).toString('base64');
/** Generated once, because that takes a while, and given to every test but those about generating. */
export const { privatePem: signingKey } = rsa();
/** The environment that leaves the key of identity tokens to be generated. */
export const notGiven = { PLATFORM__SERVER__RS256_PRIVATE_KEY_PEM: '' };
let kept: string;
/** The working directory of the test. */
export let cwd: string;

beforeAll(() => {
  kept = mkdtempSync(join(tmpdir(), 'config-'));
  loadConfig({ cwd: kept, env: {} });
});

beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'config-'));
  mkdirSync(join(cwd, '.platform'));
  cpSync(join(kept, '.platform', 'secrets.yaml'), join(cwd, '.platform', 'secrets.yaml'));
});

afterEach(() => rmSync(cwd, { recursive: true }));
afterAll(() => rmSync(kept, { recursive: true }));

/** Loads a configuration file, or none, in the working directory of the test. */
export function load(file?: unknown, env: Record<string, string> = {}, options: LoadOptions = {}) {
  if (file !== undefined) {
    writeFileSync(join(cwd, 'given.yaml'), typeof file === 'string' ? file : stringify(file));
  }
  const hasKey = JSON.stringify(file ?? '').includes('rs256_private_key_pem');
  const given = hasKey ? {} : { PLATFORM__SERVER__RS256_PRIVATE_KEY_PEM: signingKey };
  const named = file === undefined ? given : { ...given, PLATFORM_CONFIG: 'given.yaml' };
  return loadConfig({ cwd, env: { ...named, ...env }, ...options });
}

/** The faults of a configuration, one a line; none when it is accepted. */
export function faultsOf(file?: unknown, env: Record<string, string> = {}): string[] {
  try {
    load(file, env);
  } catch (error) {
    if (error instanceof ConfigError) return error.message.split('\n');
    throw error;
  }
  return [];
}

/** A new pair of RSA keys as PEM. */
export function rsa(modulusLength = 2048) {
  const pair = generateKeyPairSync('rsa', { modulusLength });
  return {
    privatePem: pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    publicPem: pair.publicKey.export({ type: 'spki', format: 'pem' }).toString(),
  };
}

/** A certificate for `localhost`, signed by itself, and its key: Node.js makes keys, and no certificates. Nothing else trusts it. */
export const tls = {
  certificate: `-----BEGIN CERTIFICATE-----
MIIBfjCCASWgAwIBAgIUDqUwB0oYJgK76wCeXNSnVAgYDoAwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyNjE3NDYyM1oYDzIxMjYxMTAy
MTc0NjIzWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAARRA9xJge2lHv96k9DflPcm+FAQvNHC46odG+HEGE7Sp9ieSx9GFXrx
uTuho/qAiHXUOyX1dk4rCOFCtn9bxemco1MwUTAdBgNVHQ4EFgQUTOc88PT0hCOL
M5QJjKFtzIQGvxwwHwYDVR0jBBgwFoAUTOc88PT0hCOLM5QJjKFtzIQGvxwwDwYD
VR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNHADBEAiB1HqJ6euFq5UgGGVncQDwJ
+IFhljigX5eVyXiNp6Wf8AIgCu1FmSxwIbfEjIU0YnFAiuTKZkUIthA+KCLxkbYz
Q+M=
-----END CERTIFICATE-----`,
  privateKey: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgaS3g+pXGmHmf4zB2
Oe8n+sgwzb3M2KVFhqdO7qs3YbihRANCAARRA9xJge2lHv96k9DflPcm+FAQvNHC
46odG+HEGE7Sp9ieSx9GFXrxuTuho/qAiHXUOyX1dk4rCOFCtn9bxemc
-----END PRIVATE KEY-----`,
};
