import type { Sealer } from '@platform/kernel';
import { encryptEndpointContext, type ProxyExtension, upstreamSecretContext } from '../model/extension.ts';

/**
 * Turns the `client_secret_encrypted` of a request into what is stored with one extension; null when it is no ciphertext of
 * `POST /api/v1/encrypt`.
 *
 * Attack: a ciphertext read from another extension's row, or from a backup, is written to an extension of the attacker's,
 * whose token endpoint then receives the secret. What is stored opens for its own extension only.
 */
export function resealUpstreamSecret(
  sealer: Sealer,
  encrypted: string,
  of: Pick<ProxyExtension, 'projectUid' | 'extensionUid'>,
): string | null {
  const secret = sealer.unseal(encrypted, encryptEndpointContext);
  return secret === null ? null : sealer.seal(secret, upstreamSecretContext(of));
}
