import { html, Problem, page } from '@platform/kernel';
import type { Principal } from '@platform/tokens';
import type { Call } from '../../endpoint/call.ts';
import { endpoint } from '../../endpoint/descriptor.ts';
import type { Authorize } from '../../http/authorize.ts';
import { htmlType, pageHeaders } from '../../http/page.ts';

/** The dependencies of the first page. */
export interface HomeDeps {
  readonly authorize: Authorize;
  readonly version: string;
}

/** `GET /`: the first page, for a person who only has the address of the service. */
export const home = endpoint({
  method: 'GET',
  path: '/',
  id: 'getHome',
  tag: 'Operations',
  summary: 'Read the first page',
  access: 'public',
  unlimited: 'a short text; a credential costs what it costs at every endpoint',
  responses: { 200: { description: 'A page.', schema: { type: 'string' }, mediaType: 'text/html' } },
  async handle({ authorize, version }: HomeDeps, _input, call) {
    const principal = await visitor(authorize, call);
    return { status: 200, body: homePage(principal, version), contentType: htmlType, headers: pageHeaders() };
  },
});

/** Who visits; null for a visitor without a valid credential. */
async function visitor(authorize: Authorize, call: Call): Promise<Principal | null> {
  try {
    return await authorize('authenticated', call);
  } catch (error) {
    if (error instanceof Problem && error.code === 'unauthenticated') return null;
    throw error;
  }
}

function homePage(principal: Principal | null, version: string): string {
  const kinds = '/api/v1/resources/platform.dev/v1alpha1/resourcedefinitions';
  const content = html`<p>This is a platform: one API for the resources, identities and logins of a company's teams.</p>
${
  principal === null
    ? html`<p><a class="button" href="/api/v1/auth/login?redirect=%2F">Log in</a></p>
<p>The <a href="/console">console</a> shows everything that you may see.</p>`
    : html`<p>You are logged in as ${nameOf(principal)}.</p>
<p><a class="button" href="/console">Open the console</a></p>
<ul>
<li><a href="/api/v1/projects">Projects</a> and <a href="/api/v1/teams">teams</a></li>
<li><a href="${kinds}">Kinds</a> that are registered here (for operators)</li>
<li><a href="/api/v1/auth/me">Who I am</a></li>
</ul>`
}
<h2>Documentation</h2>
<ul>
<li><a href="/docs">Every endpoint</a>, to read and to try</li>
<li><a href="/problems">Errors</a> and what to do</li>
<li><a href="/openapi.json">openapi.json</a>, for generators</li>
<li><a href="/downloads">Downloads</a>: the command line and the client</li>
</ul>
<p><small>Version ${version}</small></p>`;
  return page('Platform', content);
}

function nameOf(principal: Principal): string {
  return principal.type === 'controller' ? principal.id : principal.email;
}
