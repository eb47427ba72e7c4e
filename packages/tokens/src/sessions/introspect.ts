import { OAuthError } from '@platform/kernel';
import type { Principal, ServiceAccountPrincipal } from '../principal.ts';

/** The claims of a token that are shown (RFC 7662 section 2.2). */
export interface IntrospectedToken {
  readonly kind: 'session' | 'ingress';
  readonly claims: {
    readonly iss: string;
    readonly aud: string;
    readonly sub: string;
    readonly email: string;
    readonly iat: number;
    readonly exp: number;
    readonly sid?: string | undefined;
    readonly jti?: string | undefined;
    readonly project?: string | undefined;
  };
}

/** The answer of RFC 7662: the claims, or only that the token is not active. */
export type Introspection =
  | { readonly active: false }
  | ({ readonly active: true } & Record<string, unknown>);

/** The dependencies of an introspection. */
export interface IntrospectionPorts {
  /** The token, when it is valid and its session has not ended; null otherwise. */
  readonly open: (token: string) => Promise<IntrospectedToken | null>;
  /** Whether the service account of an access token still exists. */
  readonly accountExists: (account: ServiceAccountPrincipal) => Promise<boolean>;
}

/**
 * Says whether a session or ingress token is active (RFC 7662), to operators and service accounts.
 *
 * Attack: a caller uses the endpoint to learn about tokens and sessions that are not theirs. The answer is the same
 * for every invalid token; an ingress token is active only for service accounts of its own project (section 4).
 */
export async function introspect(
  ports: IntrospectionPorts,
  caller: Principal,
  token: string | null,
): Promise<Introspection> {
  if (caller.type !== 'operator' && caller.type !== 'service_account') {
    throw new OAuthError('access_denied', 'Only service accounts and operators may introspect tokens');
  }
  // Attack: the access token of a deleted account, or of a project whose name came back.
  if (caller.type === 'service_account' && !(await ports.accountExists(caller))) {
    throw new OAuthError('invalid_token', 'The service account of this token no longer exists', {
      challenge: 'Bearer error="invalid_token"',
    });
  }
  if (token === null || token === '') throw new OAuthError('invalid_request', 'token is required');
  const opened = await ports.open(token);
  if (opened === null || !concerns(opened, caller)) return { active: false };
  const { email, project, ...claims } = opened.claims;
  const { iss, aud, sub, iat, exp, sid, jti } = claims;
  return {
    active: true,
    token_type: 'Bearer',
    token_use: opened.kind,
    iss,
    aud,
    sub,
    username: email,
    email,
    iat,
    exp,
    ...(sid === undefined ? {} : { sid }),
    ...(jti === undefined ? {} : { jti }),
    ...(project === undefined ? {} : { project }),
  };
}

function concerns({ kind, claims }: IntrospectedToken, caller: Principal): boolean {
  return kind === 'session' || caller.type !== 'service_account' || claims.project === caller.project;
}
