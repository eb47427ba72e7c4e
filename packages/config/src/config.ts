import type { Settings } from './schema/platform.ts';
import type { TracingSettings } from './tracing-settings.ts';

/** The origin of a configuration. */
export interface Origin {
  /** Absolute path of the configuration file; undefined without one. */
  readonly file: string | undefined;
  /** Whether the built-in development settings apply. */
  readonly development: boolean;
  /** Keys whose values were generated, now or at an earlier start. */
  readonly generated: readonly string[];
}

type Resolved<T, K extends keyof T> = Omit<T, K> & { readonly [P in K]-?: Exclude<T[P], undefined> };

type Server = Settings['server'];

/** The checked configuration with all defaults. Keys have the same names as in the file. */
export interface Config extends Omit<Settings, 'server' | 'auth'> {
  readonly server: Resolved<
    Omit<Server, 'jwt_signing_secret' | 'jwt_signing_secrets'>,
    'public_url' | 'rs256_private_key_pem' | 'rs256_public_key_pem' | 'cookie_secure'
  > & {
    /** Those of `server.jwt_signing_secrets`, or the one of `server.jwt_signing_secret`. The first signs, all verify. */
    readonly jwt_signing_secrets: readonly [string, ...string[]];
  };
  readonly auth: Resolved<Settings['auth'], 'allow_raw_external_tokens'>;
  /** From the variables of OpenTelemetry; null if tracing is off. */
  readonly tracing: TracingSettings | null;
  /** Warnings for the log at start, each with its key. */
  readonly warnings: readonly string[];
  readonly origin: Origin;
}
