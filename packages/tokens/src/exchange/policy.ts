import type { ExternalClaims } from '../kinds/external.ts';
import { matchesClaims } from '../matching/match-claims.ts';
import { matchController } from '../matching/unique-match.ts';
import type { ControllerEntry, ServiceAccountRecord } from '../ports/directories.ts';
import type { ControllerPrincipal, ServiceAccountPrincipal } from '../principal.ts';

/** Patterns for an account that does not exist: matching takes as long, and no token matches. */
const absentAccount: ServiceAccountRecord = {
  uid: '',
  email: '',
  project: '',
  issuerUrl: '',
  claims: { aud: 'nobody', sub: 'nobody:*:nobody' },
};

/** The controller of a verified token: exactly one entry must match. */
export function controllerOf(
  entries: readonly ControllerEntry[],
  claims: ExternalClaims,
): ControllerPrincipal | undefined {
  const match = matchController(entries, claims);
  return match.outcome === 'one' ? { type: 'controller', id: match.value.id } : undefined;
}

/**
 * The service account that a verified token may act as, or undefined. An account that does not exist is
 * checked like any other, so that its absence takes as long as a mismatch.
 */
export function serviceAccountOf(
  account: ServiceAccountRecord | undefined,
  entries: readonly ControllerEntry[],
  claims: ExternalClaims,
): ServiceAccountPrincipal | undefined {
  const { uid, email, project, issuerUrl, claims: patterns } = account ?? absentAccount;
  const issuerFits = issuerUrl === claims.iss;
  const claimsFit = matchesClaims(patterns, claims);
  // A controller's token is never a service account: a tenant who learns its claims could register one on them.
  const isControllers = matchController(entries, claims).outcome !== 'none';
  if (account === undefined || !issuerFits || !claimsFit || isControllers) return undefined;
  return { type: 'service_account', uid, email, project };
}
