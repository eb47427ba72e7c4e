import type { AuditEntry } from '@platform/access';
import { readToken } from '@platform/tokens';

/** Whom a token that was just issued is for, and what a record may say about it: never the token itself. */
export function subjectOfToken(token: string): Pick<AuditEntry, 'actor' | 'project' | 'details'> {
  const claims = readToken(token)?.claims ?? {};
  const { sub, email, sid, project, principal, exp, aud, deployment } = claims as Record<string, never>;
  const facts = { tokenId: claims['jti'], session: sid, expiresAt: exp, audience: aud, deployment };
  const details = Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined));
  return {
    actor: actorOf({ sub, email, principal }),
    ...(project === undefined ? {} : { project }),
    details,
  };
}

function actorOf(claims: {
  readonly sub?: string | undefined;
  readonly email?: string | undefined;
  readonly principal?: { readonly type: string; readonly id?: string; readonly email?: string } | undefined;
}): NonNullable<AuditEntry['actor']> {
  const { sub = '', email, principal } = claims;
  if (principal?.type === 'controller') return { type: 'controller', id: principal.id ?? '' };
  if (principal !== undefined) return { type: 'service_account', id: principal.email ?? '' };
  // The subject of a workload token is no caller of this API.
  return email === undefined ? { type: 'system', id: sub } : { type: 'user', id: email };
}
