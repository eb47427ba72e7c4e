import type { AbuseLimits } from '../../http/abuse-limits.ts';
import type { Route } from '../route.ts';
import { jwks } from './jwks.ts';
import { openidConfiguration } from './openid-configuration.ts';
import { type Exchange, token } from './token.ts';

/** What the token endpoints are made of. */
export interface AuthParts {
  /** `server.public_url`. */
  readonly publicUrl: string;
  /** The JWKS document of the platform's own RS256 keys. */
  readonly jwks: unknown;
  readonly exchange: Exchange;
  readonly limits: AbuseLimits;
}

/** Discovery, keys and the token exchange. */
export function authRoutes(parts: AuthParts): readonly Route[] {
  return [jwks(parts.jwks), openidConfiguration(parts.publicUrl), token(parts.exchange, parts.limits)];
}
