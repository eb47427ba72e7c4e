import { OAuthError, secretHash, verifies } from '@platform/kernel';
import { idKind } from '@platform/tokens';
import { type Grant, nativeClientId, readGrant } from '../model/trip.ts';
import { grantContext } from './issue-code.ts';
import { issueSession } from './issue-session.ts';
import type { LoginPorts } from './ports.ts';

/** The answer of the code exchange (RFC 6749 section 5.1). */
export interface CodeExchangeAnswer {
  readonly access_token: string;
  readonly token_type: 'Bearer';
  readonly expires_in: number;
  readonly id_token: string;
}

/**
 * Redeems a native client's code (`POST /api/v1/auth/code/exchange`). The code is consumed after every check has passed, so
 * a wrong verifier does not burn it; of concurrent redemptions one wins. Throws {@link OAuthError}.
 */
export async function exchangeCode(
  ports: LoginPorts,
  parameters: ReadonlyMap<string, string>,
): Promise<CodeExchangeAnswer> {
  const required = (name: string): string => {
    const value = parameters.get(name);
    if (value === undefined || value === '') throw new OAuthError('invalid_request', `${name} is required`);
    return value;
  };
  if (required('grant_type') !== 'authorization_code') {
    throw new OAuthError('unsupported_grant_type', 'grant_type must be authorization_code');
  }
  const [code, verifier, redirectUri] = [
    required('code'),
    required('code_verifier'),
    required('redirect_uri'),
  ];
  if (required('client_id') !== nativeClientId) {
    throw new OAuthError('invalid_client', `client_id must be ${nativeClientId}`);
  }
  const hash = secretHash(code);
  const sealed = await ports.once.peek(hash, Math.floor(ports.clock.now() / 1000));
  const text = sealed === null ? null : ports.sealer.unseal(sealed, grantContext);
  const grant = text === null ? null : readGrant(text);
  if (grant === null) throw invalidCode();
  if (grant.redirectUri !== redirectUri) {
    throw new OAuthError('invalid_grant', 'redirect_uri is not the one of the authorization request');
  }
  if (!verifies(verifier, grant.codeChallenge)) {
    throw new OAuthError('invalid_grant', 'code_verifier does not match the code_challenge');
  }
  if (!(await ports.once.consume(hash))) throw invalidCode();
  return answer(ports, grant);
}

function answer(ports: LoginPorts, grant: Grant): CodeExchangeAnswer {
  const { uid, email, nonce } = grant;
  const session = issueSession(ports, grant, 'native', (reason) => new OAuthError('invalid_grant', reason));
  const idInput = { uid, email, clientId: nativeClientId, ...(nonce === null ? {} : { nonce }) };
  return {
    access_token: session.token,
    token_type: 'Bearer',
    expires_in: session.expiresIn,
    id_token: ports.tokens.issue(idKind, idInput).token,
  };
}

function invalidCode(): OAuthError {
  return new OAuthError('invalid_grant', 'Invalid or expired authorization code');
}
