import { z } from 'zod';
import type { SessionFacts } from '../principal.ts';
import type { CommonClaims, IssuedKind } from './kind.ts';
import { absent, commonShape, numericDate, text } from './shapes.ts';

/** Who may open which private project. */
export interface IngressInput {
  readonly uid: string;
  readonly email: string;
  /** The name of the project. */
  readonly project: string;
  readonly projectUrl: string;
  /** The session that the token comes from; account and groups only as far as roles depend on them. */
  readonly session: SessionFacts;
}

/** The claims of an ingress token. */
export interface IngressClaims extends CommonClaims {
  readonly email: string;
  readonly project: string;
  readonly token_use: 'ingress';
  /** When the session ends that the token comes from; absent in tokens of earlier releases. */
  readonly session_exp?: number | undefined;
  /** The session that the token comes from, and when it started; absent in tokens of earlier releases. */
  readonly sid?: string | undefined;
  readonly session_iat?: number | undefined;
}

/** Lets a user through to a private project; verified by its ingress, from the JWKS. */
export const ingressKind: IssuedKind<IngressInput, IngressClaims> = {
  name: 'ingress',
  alg: 'RS256',
  typ: 'JWT',
  typOptional: false,
  audience: 'the URL of the project',
  lifetimeKey: 'server.ingress_token_ttl_seconds',
  shape: z.looseObject({
    ...commonShape,
    email: text,
    project: text,
    token_use: z.literal('ingress'),
    session_exp: numericDate.optional(),
    sid: text.optional(),
    session_iat: numericDate.optional(),
    principal: absent,
  }),
  audienceOf: ({ projectUrl }) => projectUrl,
  // Attack: a visitor renews an ingress token after the session has ended. No renewed token outlives the session.
  expiresBy: ({ session }) => session.expiresAt,
  claimsOf: ({
    uid,
    email,
    project,
    session: { id, startedAt, expiresAt, emailVerified, account, groups },
  }) => ({
    sub: uid,
    email,
    project,
    token_use: 'ingress',
    session_exp: expiresAt,
    // Attack: a visitor logs out, and the app keeps the door open. The token ends with the session that it names.
    sid: id,
    session_iat: startedAt / 1000,
    ...(emailVerified ? {} : { email_verified: false }),
    ...(account === null ? {} : { idp_iss: account.issuer, idp_sub: account.subject }),
    ...(groups.length === 0 ? {} : { groups }),
  }),
};
