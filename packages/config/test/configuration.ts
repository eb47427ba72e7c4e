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
