import type { Config } from './config.ts';

/**
 * The environment variables that give a child process the same generated values. Without them, each process would generate its own RS256 key
 * pair.
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

/** Formats a value so that it is parsed unchanged: JSON is YAML, and `$${` is not a reference. */
export function overrideValue(value: unknown): string {
  return JSON.stringify(value).replaceAll('${', () => '$${');
}
