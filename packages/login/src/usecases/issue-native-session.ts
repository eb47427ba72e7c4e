import { OAuthError } from '@platform/kernel';
import { idKind } from '@platform/tokens';
import { type AuthenticatedUser, nativeClientId } from '../model/login-transaction.ts';
import { issueSession } from './issue-session.ts';
import type { LoginPorts } from './ports.ts';

/** The response of the code exchange (RFC 6749 section 5.1). */
export interface CodeExchangeResponse {
  readonly access_token: string;
  readonly token_type: 'Bearer';
  readonly expires_in: number;
  readonly id_token: string;
}

/** Starts the session of a native client, and returns its tokens. */
export async function issueNativeSession(
  ports: LoginPorts,
  user: AuthenticatedUser,
  { nonce, userAgent }: { readonly nonce: string | null; readonly userAgent: string },
): Promise<CodeExchangeResponse> {
  const { uid, email, authTime } = user;
  const session = await issueSession(
    ports,
    user,
    { kind: 'native', userAgent },
    (reason) => new OAuthError('invalid_grant', reason),
  );
  const idInput = {
    uid,
    email,
    clientId: nativeClientId,
    ...(nonce === null ? {} : { nonce }),
    ...(authTime === null ? {} : { authTime }),
  };
  return {
    access_token: session.token,
    token_type: 'Bearer',
    expires_in: session.expiresIn,
    id_token: ports.tokens.issue(idKind, idInput).token,
  };
}
