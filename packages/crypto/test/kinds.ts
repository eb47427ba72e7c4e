import {
  accessKind,
  type CommonClaims,
  type IssuedKind,
  idKind,
  ingressKind,
  issuedKinds,
  sessionKind,
  type TokenIssuer,
  verifyOwn,
  workloadKind,
} from '@platform/tokens';
import { NOW, PLATFORM, signatures } from './fixture.ts';

/** The kinds that the platform issues. */
export type KindName = keyof typeof issuedKinds;

/** Every kind, in the order of the table. */
export const kindNames = Object.keys(issuedKinds) as KindName[];

/**
 * A genuine token of the kind whose audience is the platform itself: where a caller can choose the audience,
 * the caller has chosen the one that would be accepted.
 */
export function issueFor(tokens: TokenIssuer, kind: KindName): string {
  const user = { uid: 'user-1', email: 'operator@example.com' };
  const session = {
    id: 's1',
    startedAt: 1_700_000_000_000,
    expiresAt: NOW + 86_400,
    emailVerified: true,
    account: null,
    groups: [],
  };
  switch (kind) {
    case 'session':
      return tokens.issue(sessionKind, { ...user, claims: {} }).token;
    case 'access':
      return tokens.issue(accessKind, { type: 'controller', id: 'ctrl.example.com' }).token;
    case 'ingress':
      return tokens.issue(ingressKind, { ...user, project: 'shop', projectUrl: PLATFORM, session }).token;
    case 'workload': {
      const workload = { project: 'shop', projectUid: 'p-1', environment: 'production', deployment: 'd-1' };
      return tokens.issue(workloadKind, { ...workload, audience: PLATFORM }).token;
    }
    case 'id':
      return tokens.issue(idKind, { ...user, clientId: PLATFORM }).token;
  }
}

/** The answer of the verifier of the kind for the token, at NOW. */
export function verify(kind: KindName, token: string, now = NOW): string {
  const entry = issuedKinds[kind] as IssuedKind<never, CommonClaims>;
  const result = verifyOwn(entry, token, { issuer: PLATFORM, audience: PLATFORM, now }, signatures);
  return result.ok ? 'accepted' : result.refusal;
}
