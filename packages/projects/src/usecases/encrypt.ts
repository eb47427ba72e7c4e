import { foldEmailCase, Problem } from '@platform/kernel';
import { sealPortableSecret } from '@platform/oauth-proxy';
import type { UserPrincipal } from '@platform/tokens';
import { z } from 'zod';
import { labelName } from '../model/fields.ts';
import type { EncryptLimiter } from '../ports/encrypt-limiter.ts';
import type { ProjectPorts } from './ports.ts';
import { requireProject } from './require-project.ts';

/** Long enough for any client secret. */
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
  project: labelName.optional(),
});

/** A valid body of `POST /api/v1/encrypt`. */
export type EncryptBody = z.output<typeof encryptBody>;

/**
 * Encrypts a secret for use in an extension: of the named project, for its managers; or without a project, of any project to which the
 * same user writes it within a day. The number per user and hour is limited, over all replicas.
 */
export async function encryptSecret(
  ports: Pick<ProjectPorts, 'projects' | 'defaultOrganization' | 'sealer' | 'clock'> & {
    readonly limiter: EncryptLimiter;
  },
  user: UserPrincipal,
  { plaintext, project }: EncryptBody,
): Promise<{ readonly encrypted: string }> {
  const recipient =
    project === undefined
      ? { userEmail: foldEmailCase(user.email) }
      : { projectUid: (await requireProject(ports, user, project, 'children.write')).uid };
  const decision = await ports.limiter.take(user.uid);
  if (!decision.allowed) {
    const { retryAfterSeconds } = decision;
    throw new Problem(
      'rate_limited',
      `Too many secrets were encrypted this hour; try again in ${retryAfterSeconds} s.`,
      { retryAfterSeconds },
    );
  }
  return { encrypted: sealPortableSecret(ports, plaintext, recipient) };
}
