import { OAuthError, verifies } from '@platform/kernel';
import { idKind } from '@platform/tokens';
import { type CodeGrant, nativeClientId, readCodeGrant } from '../model/login-transaction.ts';
import { grantContext } from './issue-code.ts';
import { issueSession } from './issue-session.ts';
import { findCode } from './one-time-codes.ts';
import type { LoginPorts } from './ports.ts';

/** The parameters of the code exchange (RFC 6749 section 4.1.3, RFC 7636 section 4.5); any of them may be missing. */
export type CodeExchangeRequest = Readonly<
  Partial<Record<'grant_type' | 'code' | 'code_verifier' | 'redirect_uri' | 'client_id', string>>
>;

/** The response of the code exchange (RFC 6749 section 5.1). */
export interface CodeExchangeResponse {
  readonly access_token: string;
  readonly token_type: 'Bearer';
  readonly expires_in: number;
  readonly id_token: string;
}

/**
 * Redeems a native client's code (`POST /api/v1/auth/code/exchange`). The code is consumed after all checks have passed, so a
 * wrong verifier does not use it up; exactly one of concurrent redemptions succeeds. Throws {@link OAuthError}.
 */
export async function exchangeCode(
  ports: LoginPorts,
  request: CodeExchangeRequest,
  userAgent = '',
): Promise<CodeExchangeResponse> {
  const required = (name: keyof CodeExchangeRequest): string => {
    const value = request[name];
    if (value === undefined || value === '') throw new OAuthError('invalid_request', `${name} is required`);
    return value;
  };
  if (required('grant_type') !== 'authorization_code') {
    throw new OAuthError('unsupported_grant_type', 'grant_type must be authorization_code');
  }
  const [value, verifier, redirectUri] = [
    required('code'),
    required('code_verifier'),
    required('redirect_uri'),
  ];
  if (required('client_id') !== nativeClientId) {
    throw new OAuthError('invalid_client', `client_id must be ${nativeClientId}`);
  }
  const code = await findCode(ports, value, grantContext, readCodeGrant);
  if (code === null) throw invalidCode();
  if (code.record.redirectUri !== redirectUri) {
    throw new OAuthError('invalid_grant', 'redirect_uri is not the one of the authorization request');
  }
  if (!verifies(verifier, code.record.codeChallenge)) {
    throw new OAuthError('invalid_grant', 'code_verifier does not match the code_challenge');
  }
  await requireNotSignedOut(ports, code.record);
  if (!(await code.consume())) throw invalidCode();
  return await responseFor(ports, code.record, userAgent);
}

/** Attack: a user is signed out everywhere, and a code that was issued before becomes a new session. */
async function requireNotSignedOut(
  { endedSessions }: Pick<LoginPorts, 'endedSessions'>,
  { uid, email, authenticatedAt: startedAt }: CodeGrant,
): Promise<void> {
  if (await endedSessions.hasEnded({ id: null, uid, email, startedAt })) throw invalidCode();
}

async function responseFor(
  ports: LoginPorts,
  grant: CodeGrant,
  userAgent: string,
): Promise<CodeExchangeResponse> {
  const { uid, email, nonce } = grant;
  const session = await issueSession(
    ports,
    grant,
    { kind: 'native', userAgent },
    (reason) => new OAuthError('invalid_grant', reason),
  );
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
