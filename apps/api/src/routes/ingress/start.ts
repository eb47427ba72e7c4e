import { Problem } from '@platform/kernel';
import { type HandoverPorts, type HandoverRequest, startHandover } from '@platform/login';
import type { UserPrincipal } from '@platform/tokens';
import { z } from 'zod';
import type { Call } from '../../endpoint/call.ts';
import { endpoint } from '../../endpoint/descriptor.ts';
import { readName } from '../../endpoint/path-parameters.ts';
import { credentialOf } from '../../http/authorize.ts';
import { type Page, refusalPage } from '../../http/page.ts';
import { singleParameter } from '../../http/query-parameters.ts';
import type { CookieSettings } from '../login/cookies.ts';
import { loginRedirect } from '../login/login-redirect.ts';
import type { IngressDeps } from './visitor.ts';

/** The dependencies of the start of a hand-over. */
export interface StartDeps extends Pick<IngressDeps, 'authenticator' | 'cookie'> {
  readonly ports: HandoverPorts;
  /** The cookies of the platform's own host. */
  readonly cookies: CookieSettings;
}

const text = (description: string, example: string) => z.string().meta({ description, example });

/** `GET /api/v1/auth/ingress/start?project=&path=`: logs a visitor in and hands them over to the host of the project. */
export const ingressStart = endpoint({
  method: 'GET',
  path: '/api/v1/auth/ingress/start',
  id: 'startIngressLogin',
  tag: 'Tokens and identity',
  summary: 'Log a visitor in and hand over to the host of a project',
  description: 'For browsers. Refusals are pages when `Accept` names `text/html`.',
  access: 'public',
  limit: 'credentials',
  documentedQuery: z.object({
    project: text('The name of the project.', 'shop'),
    path: text('Where to arrive.', '/orders').optional(),
    origin: text('A custom domain of the project, instead of its URL.', 'https://www.example.com').optional(),
    binding: text(
      'Set by the host of the project: hash of the value in the cookie of this browser.',
      '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    ).optional(),
  }),
  responses: {
    303: {
      description: 'To the login, or to `/.platform/callback` of the project.',
      headers: { Location: 'Where the browser goes.' },
    },
  },
  problems: ['invalid_query', 'forbidden', 'rate_limited'],
  async handle(deps: StartDeps, _input, call) {
    const query = call.searchParams;
    const visitor = await sessionOf(deps, call);
    try {
      if (visitor !== null && visitor.session === undefined) throw new Error('a user without a session');
      const { uid, email, session } = visitor ?? {};
      const known =
        uid === undefined || email === undefined || session === undefined ? null : { uid, email, session };
      const target = await startHandover(deps.ports, readHandoverRequest(query), known);
      return loginRedirect(target, deps.cookies, call);
    } catch (error) {
      const page = refusalPage(error, call, (problem) => describe(problem, query, visitor));
      if (page === null) throw error;
      return page;
    }
  },
});

function readHandoverRequest(query: URLSearchParams): HandoverRequest {
  const project = singleParameter(query, 'project');
  if (project === null) throw new Problem('invalid_query', 'Query parameter project is required.');
  const path = singleParameter(query, 'path') ?? '/';
  return {
    project: readName(project),
    path,
    origin: singleParameter(query, 'origin'),
    binding: singleParameter(query, 'binding'),
  };
}

/** The user of a valid session; null without one: the visitor then logs in. */
async function sessionOf(
  { authenticator, cookie }: Pick<IngressDeps, 'authenticator' | 'cookie'>,
  call: Call,
): Promise<UserPrincipal | null> {
  const credential = credentialOf(call, cookie);
  if (credential === null) return null;
  try {
    const { from, token } = credential;
    const principal = await (from === 'cookie' ? authenticator.session(token) : authenticator.bearer(token));
    if (principal.type === 'user' || principal.type === 'operator') return principal;
  } catch (error) {
    if (error instanceof Problem && error.code === 'unauthenticated') return null;
    throw error;
  }
  throw new Problem('forbidden', 'Only users may visit projects; service tokens are not accepted.');
}

function describe(problem: Problem, query: URLSearchParams, visitor: UserPrincipal | null): Page {
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
