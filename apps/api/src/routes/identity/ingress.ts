import { Problem } from '@platform/kernel';
import type { IngressGrant } from '@platform/projects';
import type { Authenticator, Principal, UserPrincipal } from '@platform/tokens';
import type { Request } from 'express';
import { answerJson } from '../../http/answer.ts';
import { type CookiePolicy, credentialOf } from '../../http/credential.ts';
import { noStore } from '../../http/oauth-answer.ts';
import { queryOf, readName } from '../projects/request.ts';
import type { Route } from '../route.ts';

/** What the ingress endpoint is made of. */
export interface IngressParts {
  readonly authenticator: Authenticator;
  readonly cookie: CookiePolicy;
  /** The visitor that an ingress token of the project names, or null. */
  readonly openIngressToken: (token: string, project: string) => Promise<UserPrincipal | null>;
  readonly mint: (principal: Principal, project: string) => Promise<IngressGrant>;
}

/**
 * `GET /api/v1/auth/ingress?project=`: a token that opens the project's URL, and headers for forward-auth proxies
 * (nginx `auth_request` and the like). Asked by session, or by an ingress token of the same project.
 */
export function ingress(parts: IngressParts): Route {
  return {
    method: 'GET',
    path: '/api/v1/auth/ingress',
    // The gate knows no ingress tokens: they count here alone.
    access: 'public',
    async handle(request, response) {
      const [name, ...more] = queryOf(request).getAll('project');
      const project = readName(name);
      const principal = await visitorOf(parts, request, project);
      if (name === undefined || more.length > 0) {
        throw new Problem('invalid_query', 'project must be given, once.');
      }
      const { token, expiresIn, audience, user } = await parts.mint(principal, project);
      const body = { token, token_type: 'Bearer', expires_in: expiresIn, audience, project };
      answerJson(response, 200, body, {
        ...noStore,
        'X-Auth-Request-User': headerText(user.uid),
        'X-Auth-Request-Email': headerText(user.email),
        'X-Auth-Request-Access-Token': token,
      });
    },
  };
}

/**
 * A text as a header can carry it: printable ASCII as it is, everything else and `%` percent-encoded (RFC 3986 section 2.1).
 * A header holds no other characters, and addresses may (RFC 6531).
 */
function headerText(text: string): string {
  return text.replace(/[^\x21-\x24\x26-\x7e]+/g, (part) =>
    Buffer.from(part, 'utf8').reduce(
      (all, byte) => `${all}%${byte.toString(16).toUpperCase().padStart(2, '0')}`,
      '',
    ),
  );
}

async function visitorOf(parts: IngressParts, request: Request, project: string): Promise<Principal> {
  const credential = credentialOf(request, parts.cookie);
  if (credential === null) throw new Problem('unauthenticated', 'A session is required.');
  if (credential.from === 'cookie') return parts.authenticator.session(credential.token);
  try {
    return await parts.authenticator.bearer(credential.token);
  } catch (error) {
    const visitor = await parts.openIngressToken(credential.token, project);
    if (visitor === null) throw error;
    return visitor;
  }
}
