import { type Clock, type RandomBytes, type Sealer, secretHash } from '@platform/kernel';
import { clientSecretContext, type ProxyExtension, type StoredClientSecret } from '../model/extension.ts';
import { clientSecretBytes, clientSecretText } from '../rules/client-secret.ts';

/** Creates a client secret for the app: in clear for the one response that shows it, and in its stored form. */
export function createClientSecret(
  { random, sealer, clock }: { readonly random: RandomBytes; readonly sealer: Sealer; readonly clock: Clock },
  of: Pick<ProxyExtension, 'projectUid' | 'extensionUid'>,
): { readonly secret: string; readonly stored: StoredClientSecret } {
  const secret = clientSecretText(random.bytes(clientSecretBytes));
  return {
    secret,
    stored: {
      hash: secretHash(secret),
      sealed: sealer.seal(secret, clientSecretContext(of)),
      createdAt: new Date(clock.now()).toISOString(),
    },
  };
}
