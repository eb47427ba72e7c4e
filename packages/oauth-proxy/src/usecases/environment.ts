import { Problem } from '@platform/kernel';
import {
  clientIdOf,
  clientSecretContext,
  type ExtensionName,
  issuerOf,
  type ProxyExtension,
} from '../model/extension.ts';
import type { ProxyPorts } from './ports.ts';

/** The environment variables of an app for an extension, with the newest client secret in clear. For project members only. */
export function environment(
  { sealer, publicUrl }: Pick<ProxyPorts, 'sealer' | 'publicUrl'>,
  extension: ProxyExtension,
): Readonly<Record<string, string>> {
  const newest = extension.clientSecrets[0];
  const secret = newest === undefined ? null : sealer.unseal(newest.sealed, clientSecretContext(extension));
  if (secret === null) {
    throw new Problem(
      'unavailable',
      'The client secret cannot be decrypted with the configured keys; rotate it.',
    );
  }
  return extensionEnvironment(extension, publicUrl, secret);
}

/** The prefix of an extension's variables: its name in upper case, with underscores for hyphens. */
function variablePrefix(extension: string): string {
  return extension.toUpperCase().replaceAll('-', '_');
}

/**
 * The environment variables of an app for an extension. `clientSecret` is the newest one in clear, so the response must not be
 * cached.
 */
export function extensionEnvironment(
  name: ExtensionName,
  publicUrl: string,
  clientSecret: string,
): Readonly<Record<string, string>> {
  const prefix = variablePrefix(name.extension);
  return {
    [`${prefix}_CLIENT_ID`]: clientIdOf(name),
    [`${prefix}_CLIENT_SECRET`]: clientSecret,
    [`${prefix}_ISSUER`]: issuerOf(publicUrl, name),
    PLATFORM_ISSUER: publicUrl,
  };
}
