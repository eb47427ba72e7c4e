import { z } from 'zod';
import type { CommonClaims, IssuedKind } from './kind.ts';
import { absent, commonShape, text } from './shapes.ts';

/** Who may open which private project. */
export interface IngressInput {
  readonly uid: string;
  readonly email: string;
  /** The name of the project. */
  readonly project: string;
  readonly projectUrl: string;
}

/** The claims of an ingress token. */
export interface IngressClaims extends CommonClaims {
  readonly email: string;
  readonly project: string;
  readonly token_use: 'ingress';
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
    principal: absent,
  }),
  audienceOf: ({ projectUrl }) => projectUrl,
  claimsOf: ({ uid, email, project }) => ({ sub: uid, email, project, token_use: 'ingress' }),
};
