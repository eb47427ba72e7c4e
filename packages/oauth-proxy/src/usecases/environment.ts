import { Problem } from '@platform/kernel';
import { extensionEnvironment } from '../model/environment.ts';
import { clientSecretContext, type ProxyExtension } from '../model/extension.ts';
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
