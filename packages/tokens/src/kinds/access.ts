import { z } from 'zod';
import type { ExchangedPrincipal } from '../principal.ts';
import type { CommonClaims, IssuedKind } from './kind.ts';
import { absent, commonShape, text } from './shapes.ts';

/** The claims of an access token: the principal is already resolved. */
export interface AccessClaims extends CommonClaims {
  readonly principal: ExchangedPrincipal;
}

const principalShape = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('controller'), id: text }),
  z.strictObject({ type: z.literal('service_account'), uid: text, email: text, project: text }),
]);

/** Issued by the exchange: short-lived, verified only by the service, and not revocable. */
export const accessKind: IssuedKind<ExchangedPrincipal, AccessClaims> = {
  name: 'access',
  alg: 'HS256',
  typ: 'platform-access+jwt',
  typOptional: false,
  audience: '`server.public_url`',
  lifetimeKey: 'server.auth_token_max_ttl_seconds',
  shape: z
    .looseObject({ ...commonShape, principal: principalShape, token_use: absent })
    .refine(({ sub, principal }) => sub === subjectOf(principal)),
  audienceOf: (_principal, issuer) => issuer,
  claimsOf: (principal) => ({ sub: subjectOf(principal), principal }),
};

/** `controller:<id>` or `serviceaccount:<email>`. */
function subjectOf(principal: ExchangedPrincipal): string {
  return principal.type === 'controller' ? `controller:${principal.id}` : `serviceaccount:${principal.email}`;
}
