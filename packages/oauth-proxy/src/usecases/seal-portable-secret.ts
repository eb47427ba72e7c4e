import type { Clock, SealContext, Sealer } from '@platform/kernel';
import { type ProxyExtension, upstreamSecretContext } from '../model/extension.ts';

/**
 * The recipient of a ciphertext of `POST /api/v1/encrypt`: the managers of one project, or one user for a day. Users are identified by
 * their e-mail address, like the owner and the members of a project.
 */
export type SecretRecipient = { readonly projectUid: string } | { readonly userEmail: string };

/** How long a ciphertext without a project can be used. Milliseconds. */
const userLifetimeMs = 24 * 60 * 60_000;

/**
 * Seals a secret for an extension that does not exist yet. Attack: ciphertexts are kept in files, tickets and repositories, where
 * an attacker copies one into an extension of their own, whose token endpoint then receives the secret.
 */
export function sealPortableSecret(
  { sealer, clock }: { readonly sealer: Sealer; readonly clock: Clock },
  secret: string,
  recipient: SecretRecipient,
): string {
  const text = 'userEmail' in recipient ? JSON.stringify({ secret, sealedAt: clock.now() }) : secret;
  return sealer.seal(text, contextOf(recipient));
}

/**
 * Seals the `client_secret_encrypted` of a request for one extension; null unless it is a ciphertext for the extension's project or,
 * for at most a day, for the caller.
 *
 * Attack: a ciphertext from another extension's row or from a backup is written to an extension of the attacker. The stored
 * secret can be opened for its own extension only.
 */
export function resealUpstreamSecret(
  ports: { readonly sealer: Sealer; readonly clock: Clock },
  encrypted: string,
  of: Pick<ProxyExtension, 'projectUid' | 'extensionUid'>,
  callerEmail: string | null,
): string | null {
  const secret =
    ports.sealer.unseal(encrypted, contextOf({ projectUid: of.projectUid })) ??
    (callerEmail === null ? null : secretOfUser(ports, encrypted, callerEmail));
  return secret === null ? null : ports.sealer.seal(secret, upstreamSecretContext(of));
}

function secretOfUser(
  { sealer, clock }: { readonly sealer: Sealer; readonly clock: Clock },
  encrypted: string,
  userEmail: string,
): string | null {
  const text = sealer.unseal(encrypted, contextOf({ userEmail }));
  if (text === null) return null;
  const { secret, sealedAt } = JSON.parse(text) as { readonly secret: string; readonly sealedAt: number };
  // Accident: a text from before the clock was set back stays valid for as long as the clock was wrong.
  return Math.abs(clock.now() - sealedAt) <= userLifetimeMs ? secret : null;
}

function contextOf(recipient: SecretRecipient): SealContext {
  const purpose = 'client_secret_encrypted';
  return 'userEmail' in recipient
    ? { purpose, user: recipient.userEmail }
    : { purpose, project: recipient.projectUid };
}
