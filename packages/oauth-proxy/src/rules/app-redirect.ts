import type { StateRecord } from '../model/flow.ts';
import { printable } from './parameters.ts';

type Destination = Pick<StateRecord, 'target' | 'appState' | 'mode'>;

/**
 * The redirect to the app with its code: exactly `code` and `state`, and in OpenID Connect mode `iss` (RFC 9207). Other parameters
 * of the upstream's redirect are not forwarded.
 */
export function codeRedirect(to: Destination, code: string, issuer: string): string {
  return withParameters(to, [['code', code]], issuer);
}

/** The redirect to the app with an error (RFC 6749 section 4.1.2.1), without a code. */
export function errorRedirect(
  to: Destination,
  error: string,
  description: string | null,
  issuer: string,
): string {
  const parameters: [string, string][] = [['error', printable(error, 100)]];
  if (description !== null) parameters.push(['error_description', printable(description, 500)]);
  return withParameters(to, parameters, issuer);
}

function withParameters(to: Destination, parameters: [string, string][], issuer: string): string {
  const added = new URLSearchParams(parameters);
  if (to.appState !== null) added.append('state', to.appState);
  if (to.mode === 'oidc') added.append('iss', issuer);
  // Not searchParams.append, which would rewrite the app's own query (RFC 6749 section 3.1.2: it must be kept).
  const url = new URL(to.target);
  url.search = url.search === '' ? added.toString() : `${url.search.slice(1)}&${added}`;
  return url.href;
}
