import { providerMetadata } from '@platform/tokens';
import { type BoundEndpoint, bind } from '../../endpoint/descriptor.ts';
import type { AbuseLimits } from '../../http/abuse-limits.ts';
import { jwks } from './jwks.ts';
import { openidConfiguration } from './openid-configuration.ts';
import { type Exchange, token } from './token.ts';

/** The dependencies of the token endpoints. */
export interface AuthDeps {
  /** `server.public_url`. */
  readonly publicUrl: string;
  /** The JWKS document of the platform's own RS256 keys. */
  readonly jwks: unknown;
  readonly exchange: Exchange;
  readonly limits: AbuseLimits;
}

/** Discovery, keys and the token exchange. */
export const authEndpoints = [openidConfiguration, jwks, token];

/** {@link authEndpoints} with their dependencies. */
export function bindAuth({ publicUrl, jwks: keys, exchange }: AuthDeps): readonly BoundEndpoint[] {
  return bind(authEndpoints, {
    jwks: JSON.stringify(keys),
    providerMetadata: JSON.stringify(providerMetadata(publicUrl)),
    exchange,
  });
}
