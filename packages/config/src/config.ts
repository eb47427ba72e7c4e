import type { Settings } from './schema/platform.ts';
import type { TracingSettings } from './tracing-settings.ts';

/** How a configuration came about. */
export interface Origin {
  /** Absolute path of the configuration file; undefined when there was none. */
  readonly file: string | undefined;
  /** Whether the built-in development settings are in force. */
  readonly development: boolean;
  /** Keys whose values were generated, by this start or an earlier one, rather than configured. */
  readonly generated: readonly string[];
}

type Resolved<T, K extends keyof T> = Omit<T, K> & { readonly [P in K]-?: Exclude<T[P], undefined> };

type Server = Settings['server'];

/** The checked configuration with every default in place. Keys are named as in its file. */
export interface Config extends Omit<Settings, 'server' | 'auth'> {
  readonly server: Resolved<
    Omit<Server, 'jwt_signing_secret' | 'jwt_signing_secrets'>,
    'public_url' | 'rs256_private_key_pem' | 'rs256_public_key_pem' | 'cookie_secure'
  > & {
    /** Those of `server.jwt_signing_secrets`, or the one of `server.jwt_signing_secret`. The first signs, all verify. */
    readonly jwt_signing_secrets: readonly [string, ...string[]];
  };
  readonly auth: Resolved<Settings['auth'], 'allow_raw_external_tokens'>;
  /** From OpenTelemetry's own variables; null when traces are off. */
  readonly tracing: TracingSettings | null;
  /** For the log at start: what works but deserves a look, each naming its key. */
  readonly warnings: readonly string[];
  readonly origin: Origin;
}
