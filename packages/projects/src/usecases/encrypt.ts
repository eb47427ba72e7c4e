import { Problem, type Sealer } from '@platform/kernel';
import { encryptEndpointContext } from '@platform/oauth-proxy';
import { requireValid } from '@platform/resources';
import type { UserPrincipal } from '@platform/tokens';
import { z } from 'zod';
import type { EncryptLimiter } from '../ports/encrypt-limiter.ts';

/** A plaintext is a secret of a provider, not a document. */
const maxPlaintextBytes = 4096;

/** The body of `POST /api/v1/encrypt`. */
export const encryptBody = z.strictObject({
  plaintext: z
    .string()
    .min(1, 'must not be empty')
    .refine(
      (text) => new TextEncoder().encode(text).length <= maxPlaintextBytes,
      `must have at most ${maxPlaintextBytes} bytes`,
    ),
});

/** Encrypts a secret for use in an extension; at most so many an hour for a person, over all replicas (specification, "Limits"). */
export async function encryptSecret(
  { sealer, limiter }: { readonly sealer: Sealer; readonly limiter: EncryptLimiter },
  user: UserPrincipal,
  readBody: () => Promise<unknown>,
): Promise<{ readonly encrypted: string }> {
  const { plaintext } = requireValid(encryptBody, await readBody());
  const decision = await limiter.take(user.uid);
  if (!decision.allowed) {
    const { retryAfterSeconds } = decision;
    throw new Problem(
      'rate_limited',
      `Too many secrets were encrypted this hour; try again in ${retryAfterSeconds} s.`,
      { retryAfterSeconds },
    );
  }
  return { encrypted: sealer.seal(plaintext, encryptEndpointContext) };
}
