import { z } from 'zod';
import type { CommonClaims, IssuedKind } from './kind.ts';
import { absent, commonShape, numericDate, text } from './shapes.ts';

/** Who has logged in, and to which client. */
export interface IdInput {
  readonly uid: string;
  readonly email: string;
  /** The platform's own client, e.g. `platform-cli`. */
  readonly clientId: string;
  /** The `nonce` of the authorization request, when it had one. */
  readonly nonce?: string;
  /** When the identity provider authenticated the user, in seconds since the epoch, where it says so. */
  readonly authTime?: number;
}

/** The claims of the platform's own ID token (OpenID Connect Core section 2). */
export interface IdClaims extends CommonClaims {
  readonly email: string;
  readonly nonce?: string | undefined;
  readonly auth_time?: number | undefined;
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
    auth_time: numericDate.optional(),
    token_use: z.literal('id'),
    principal: absent,
  }),
  audienceOf: ({ clientId }) => clientId,
  claimsOf: ({ uid, email, nonce, authTime }) => ({
    sub: uid,
    email,
    token_use: 'id',
    ...(nonce === undefined ? {} : { nonce }),
    ...(authTime === undefined ? {} : { auth_time: authTime }),
  }),
};
