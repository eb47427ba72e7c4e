import { Problem } from '@platform/kernel';
import { type HandoverPorts, type HandoverRequest, startHandover } from '@platform/login';
import type { UserPrincipal } from '@platform/tokens';
import type { Request } from 'express';
import type { AbuseLimits } from '../../http/abuse-limits.ts';
import { credentialOf } from '../../http/credential.ts';
import { type Page, withPages } from '../../http/page.ts';
import { singleParameter } from '../../http/query-parameters.ts';
import type { CookieSettings } from '../login/cookies.ts';
import { sendLoginRedirect } from '../login/login-redirect.ts';
import { queryOf } from '../projects/request.ts';
import type { Route } from '../route.ts';
import type { IngressParts } from './visitor.ts';

/** The dependencies of the start of a hand-over. */
export interface StartParts extends Pick<IngressParts, 'authenticator' | 'cookie'> {
  readonly ports: HandoverPorts;
  /** The cookies of the platform's own host. */
  readonly cookies: CookieSettings;
  readonly limits: AbuseLimits;
}

/** `GET /api/v1/auth/ingress/start?project=&path=`: logs a visitor in and hands them over to the host of the project. */
export function ingressStart(parts: StartParts): Route {
  return {
    method: 'GET',
    path: '/api/v1/auth/ingress/start',
    access: 'public',
    async handle(request, response) {
      parts.limits.take(request);
      const query = queryOf(request);
      const visitor = await sessionOf(parts, request);
      const describe = (problem: Problem) => refusalPage(problem, query, visitor);
      await withPages(request, response, describe, async () => {
        if (visitor !== null && visitor.session === undefined) throw new Error('a user without a session');
        const { uid, email, session } = visitor ?? {};
        const known =
          uid === undefined || email === undefined || session === undefined ? null : { uid, email, session };
        const redirect = await startHandover(parts.ports, readHandoverRequest(query), known);
        sendLoginRedirect(response, redirect, parts.cookies);
      });
    },
  };
}

function readHandoverRequest(query: URLSearchParams): HandoverRequest {
  const project = singleParameter(query, 'project');
  if (project === null) throw new Problem('invalid_query', 'Query parameter project is required.');
  const path = singleParameter(query, 'path') ?? '/';
  return {
    project,
    path,
    origin: singleParameter(query, 'origin'),
    binding: singleParameter(query, 'binding'),
  };
}

/** The user of a valid session; null without one: the visitor then logs in. */
async function sessionOf(
  { authenticator, cookie }: Pick<IngressParts, 'authenticator' | 'cookie'>,
  request: Request,
): Promise<UserPrincipal | null> {
  const credential = credentialOf(request, cookie);
  if (credential === null) return null;
  try {
    const { from, token } = credential;
    const principal = from === 'cookie' ? authenticator.session(token) : await authenticator.bearer(token);
    if (principal.type === 'user' || principal.type === 'operator') return principal;
  } catch (error) {
    if (error instanceof Problem && error.code === 'unauthenticated') return null;
    throw error;
  }
  throw new Problem('forbidden', 'Only users may visit projects; service tokens are not accepted.');
}

function refusalPage(problem: Problem, query: URLSearchParams, visitor: UserPrincipal | null): Page {
  if (problem.code !== 'forbidden' || visitor === null) {
    return { title: 'This page cannot be opened', paragraphs: [problem.message] };
  }
  const project = query.get('project') ?? '';
  return forbiddenPage('', project, `You are logged in as ${visitor.email}.`, problem.message);
}

/** Tells a visitor without access to a project what to do. It is no redirect to the login, which would be a loop. */
export function forbiddenPage(publicUrl: string, project: string, ...paragraphs: readonly string[]): Page {
  const again = `/api/v1/auth/ingress/start?${new URLSearchParams({ project })}`;
  return {
    title: 'You may not open this project',
    paragraphs: [...paragraphs, 'Ask its owner to make you a member.'],
    link: {
      href: `${publicUrl}/api/v1/auth/login?${new URLSearchParams({ redirect: again })}`,
      text: 'Log in as somebody else',
    },
  };
}
