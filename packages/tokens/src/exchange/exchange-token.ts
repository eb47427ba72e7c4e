import { OAuthError } from '@platform/kernel';
import { type VerifyExternalDeps, verifyExternal } from '../bearer/verify-external.ts';
import type { TokenIssuer } from '../issue/issue-token.ts';
import { accessKind } from '../kinds/access.ts';
import type { ControllerDirectory, ServiceAccountDirectory } from '../ports/directories.ts';
import type { ExchangedPrincipal } from '../principal.ts';
import { type ExchangeParameters, jwtTokenType, readExchangeRequest } from './parameters.ts';
import { controllerOf, serviceAccountOf } from './policy.ts';

/** The dependencies of the exchange. */
export interface ExchangeDeps extends VerifyExternalDeps {
  readonly controllers: ControllerDirectory;
  readonly serviceAccounts: ServiceAccountDirectory;
  readonly tokens: TokenIssuer;
}

/** The answer of RFC 8693 section 2.2.1. */
export interface ExchangeAnswer {
  readonly access_token: string;
  readonly issued_token_type: typeof jwtTokenType;
  readonly token_type: 'Bearer';
  readonly expires_in: number;
}

/**
 * Exchanges an external token for an access token (RFC 8693): `POST /api/v1/auth/token`.
 * `parameters` is the parsed body. Throws OAuthError: `invalid_request` for a malformed request,
 * `unsupported_grant_type`, and for every later failure one and the same `invalid_grant`.
 */
export async function exchangeToken(
  deps: ExchangeDeps,
  parameters: ExchangeParameters,
): Promise<ExchangeAnswer> {
  const { subjectToken, identity } = readExchangeRequest(parameters);
  const principal = await resolve(deps, subjectToken, identity);
  if (principal === undefined) throw new OAuthError('invalid_grant', 'The subject token was not accepted');
  const { token, expiresIn } = deps.tokens.issue(accessKind, principal);
  return {
    access_token: token,
    issued_token_type: jwtTokenType,
    token_type: 'Bearer',
    expires_in: expiresIn,
  };
}

/**
 * Attack: the time of a refusal tells which accounts exist. So the account is always looked up and the token always
 * verified, and the results are compared only then: a wrong issuer or a missing account does not end the work early.
 */
async function resolve(
  deps: ExchangeDeps,
  subjectToken: string,
  identity: string | undefined,
): Promise<ExchangedPrincipal | undefined> {
  const account = identity === undefined ? undefined : await deps.serviceAccounts.findByEmail(identity);
  const claims = await verifyExternal(deps, subjectToken);
  if (claims === undefined) return undefined;
  const entries = deps.controllers.entries();
  const principal =
    identity === undefined ? controllerOf(entries, claims) : serviceAccountOf(account, entries, claims);
  if (principal === undefined) deps.onRefused?.('no_match');
  return principal;
}
