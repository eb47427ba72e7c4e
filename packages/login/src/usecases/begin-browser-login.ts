import { Problem } from '@platform/kernel';
import { readBrowserRedirect } from '../rules/redirects.ts';
import { beginTrip, type Departure } from './begin-trip.ts';
import type { LoginPorts } from './ports.ts';

/**
 * Starts a browser login (`GET /api/v1/auth/login?redirect=`). Afterwards the person is sent to a path of this origin or
 * to the URL of a project; anything else is `invalid_query` now, before the trip.
 */
export async function beginBrowserLogin(ports: LoginPorts, query: URLSearchParams): Promise<Departure> {
  const [text = '/', ...more] = query.getAll('redirect');
  const redirect = more.length === 0 ? readBrowserRedirect(text, ports.publicUrl) : null;
  if (redirect === null) throw refused();
  if (redirect.kind === 'path') return await beginTrip(ports, { kind: 'browser', redirect: redirect.path });
  const isOwn = redirect.origin === new URL(ports.publicUrl).origin;
  if (!isOwn && !(await ports.origins.isProjectOrigin(redirect.origin))) throw refused();
  return await beginTrip(ports, { kind: 'browser', redirect: redirect.url });
}

function refused(): Problem {
  return new Problem('invalid_query', 'redirect must be a path of this site or the URL of a project.');
}
