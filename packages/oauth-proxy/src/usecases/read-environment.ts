import { Problem } from '@platform/kernel';
import { clientSecretContext, type ProxyExtension } from '../model/extension.ts';
import { environmentVariables } from '../rules/environment-variables.ts';
import type { ProxyPorts } from './ports.ts';

/** Returns the environment variables of an app for an extension, with the newest client secret in clear. For project members only. */
export function readEnvironment(
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
  return environmentVariables(extension, publicUrl, secret);
}
