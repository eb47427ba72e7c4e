import type { Clock, SealContext, Sealer } from '@platform/kernel';
import { type ProxyExtension, upstreamSecretContext } from '../model/extension.ts';

/**
 * Who may write a ciphertext of `POST /api/v1/encrypt` into an extension: any manager of one project, or one person for a day. A person
 * is known by the address, as the owner and the members of a project are.
 */
export type SecretRecipient = { readonly projectUid: string } | { readonly userEmail: string };

/** How long a ciphertext without a project can be written. Milliseconds. */
const userLifetimeMs = 24 * 60 * 60_000;

/**
 * Seals a secret that is on its way into an extension. Attack: a ciphertext is meant to be put into files, tickets and
 * repositories, where an attacker copies it into an extension of their own, whose token endpoint then receives the secret.
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
 * Turns the `client_secret_encrypted` of a request into what is stored with one extension; null when it is no ciphertext for
 * its project or, not older than a day, for the caller.
 *
 * Attack: a ciphertext read from another extension's row, or from a backup, is written to an extension of the attacker's.
 * What is stored opens for its own extension only.
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
  return clock.now() - sealedAt <= userLifetimeMs ? secret : null;
}

function contextOf(recipient: SecretRecipient): SealContext {
  const purpose = 'client_secret_encrypted';
  return 'userEmail' in recipient
    ? { purpose, user: recipient.userEmail }
    : { purpose, project: recipient.projectUid };
}
