import { z } from 'zod';
import type { CommonClaims, IssuedKind } from './kind.ts';
import { absent, commonShape, text } from './shapes.ts';

/** Who has logged in, and to which client. */
export interface IdInput {
  readonly uid: string;
  readonly email: string;
  /** The platform's own client, e.g. `platform-cli`. */
  readonly clientId: string;
  /** The `nonce` of the authorization request, when it had one. */
  readonly nonce?: string;
}

/** The claims of the platform's own ID token (OpenID Connect Core section 2). */
export interface IdClaims extends CommonClaims {
  readonly email: string;
  readonly nonce?: string | undefined;
  readonly token_use: 'id';
}

/** Tells a native client who has logged in; the code exchange returns it with the session token. */
export const idKind: IssuedKind<IdInput, IdClaims> = {
  name: 'id',
  alg: 'RS256',
  typ: 'JWT',
  typOptional: false,
  audience: 'the client id',
  lifetimeKey: 'server.jwt_expiry_seconds',
  shape: z.looseObject({
    ...commonShape,
    email: text,
    nonce: z.string().optional(),
    token_use: z.literal('id'),
    principal: absent,
  }),
  audienceOf: ({ clientId }) => clientId,
  claimsOf: ({ uid, email, nonce }) => ({
    sub: uid,
    email,
    token_use: 'id',
    ...(nonce === undefined ? {} : { nonce }),
  }),
};
