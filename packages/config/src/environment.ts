import type { Config } from './config.ts';

/**
 * The variables that make a child process see the same generated values as this one, to be laid over
 * its environment. Without them each process would generate an RS256 key pair of its own.
 */
export function generatedEnvironment(config: Config): Record<string, string> {
  const values: Readonly<Record<string, unknown>> = {
    'server.jwt_signing_secret': config.server.jwt_signing_secrets[0],
    'server.rs256_private_key_pem': config.server.rs256_private_key_pem,
    'encryption.keys': config.encryption.keys,
  };
  return Object.fromEntries(
    config.origin.generated.map((key) => [overrideName(key), overrideValue(values[key])]),
  );
}

/** The variable that overrides a key: `server.public_url` has `PLATFORM__SERVER__PUBLIC_URL`. */
export function overrideName(key: string): string {
  return `PLATFORM__${key.replaceAll('.', '__').toUpperCase()}`;
}

/** Writes a value so that it is read back unchanged: JSON is YAML, and `$${` is not a reference. */
export function overrideValue(value: unknown): string {
  return JSON.stringify(value).replaceAll('${', () => '$${');
}
