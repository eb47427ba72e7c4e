import { Problem } from '@platform/kernel';
import type { AuditLog, AuditRecord, Cascade } from '@platform/resources';
import type { Authenticator, Principal } from '@platform/tokens';
import type { AbuseLimits } from '../src/http/abuse-limits.ts';

const operator: Principal = { type: 'operator', uid: 'u-op', email: 'Op@Example.dev', admin: false };

/** Bearer tokens that mean what they say. */
export const principals: Readonly<Record<string, Principal>> = {
  operator,
  user: {
    type: 'user',
    uid: 'u-dev',
    email: 'dev@example.dev',
    admin: true,
    session: { id: 's', startedAt: 0, expiresAt: 0, emailVerified: true, account: null, groups: ['devs'] },
  },
  unverified: {
    type: 'user',
    uid: 'u-un',
    email: 'dev@example.dev',
    admin: false,
    session: { id: 's', startedAt: 0, expiresAt: 0, emailVerified: false, account: null, groups: ['devs'] },
  },
  serviceaccount: { type: 'service_account', uid: 'u-sa', email: 'p+ci@sa.platform.local', project: 'p' },
  controller: { type: 'controller', id: 'ctrl.example.dev' },
  'other-controller': { type: 'controller', id: 'other.example.dev' },
};

/** Knows the tokens of {@link principals} and refuses every other one. */
export const fakeAuthenticator: Authenticator = {
  async bearer(token) {
    return known(token);
  },
  async session(token) {
    const principal = known(token);
    if (principal.type !== 'operator' && principal.type !== 'user') throw unauthenticated();
    return principal;
  },
};

function known(token: string): Principal {
  const principal = Object.hasOwn(principals, token) ? principals[token] : undefined;
  if (principal === undefined) throw unauthenticated();
  return principal;
}

function unauthenticated(): Problem {
  return new Problem('unauthenticated', 'The credentials are missing, invalid or expired.');
}

/** An audit log that keeps its records. */
export class RecordingAudit implements AuditLog {
  readonly records: AuditRecord[] = [];
  readonly cascades: Cascade[] = [];

  /** Without the origin, which differs from run to run. */
  record({ origin: _, ...record }: AuditRecord): void {
    this.records.push(record);
  }

  cascaded(cascades: readonly Cascade[]): void {
    this.cascades.push(...cascades);
  }
}

/** Limits of bodies alone, for tests of something else. */
export const bodyLimitOnly = (bodyLimit: number): AbuseLimits => ({ bodyLimit, take: () => undefined });
