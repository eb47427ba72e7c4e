import { OAuthError } from '@platform/kernel';
import type { ProxyExtension } from '../model/extension.ts';
import type { OAuthExtensionSpec } from '../model/extension-spec.ts';
import {
  maxRedirectUriLength,
  type RedirectUriFault,
  redirectUriFault,
  webUrl,
} from '../model/redirect-uri-text.ts';

/** The hosts on which a native or local app may listen at any port (RFC 8252 section 7.3). */
const loopbackHosts = new Set(['localhost', '127.0.0.1', '[::1]']);

/** The origins of the app. */
export interface AppOrigins extends Pick<ProxyExtension, 'projectUrl' | 'customDomains'> {
  readonly spec: Pick<OAuthExtensionSpec, 'redirect_uris' | 'allow_localhost'>;
}

/** An app without a web origin; only pages on loopback may be its own. */
export const noOrigins: AppOrigins = { projectUrl: '', customDomains: [], spec: {} };

const faults: Readonly<Record<RedirectUriFault, string>> = {
  length: `redirect_uri has more than ${maxRedirectUriLength} characters`,
  characters: 'redirect_uri contains characters that are not allowed',
  url: 'redirect_uri is not an absolute http or https URL',
  credentials: 'redirect_uri must not contain credentials',
  host: 'redirect_uri must have its host and port in the form in which browsers show them',
  parameters: 'redirect_uri contains a parameter of the answer',
};

/**
 * The redirect URI of a login: the requested one if it is allowed. Without a request it is the only entry of `redirect_uris`, or the
 * project URL for an extension without such a list. Throws `invalid_request`, which never redirects.
 *
 * Returns the parsed form, so that the validated URL is the one that is used.
 */
export function redirectTarget(requested: string | null, app: AppOrigins): string {
  if (requested === null) return defaultTarget(app);
  const fault = redirectUriFault(requested);
  if (fault !== null) throw refused(faults[fault]);
  const url = new URL(requested);
  if (!isAppOrigin(url.origin, app)) throw refused('redirect_uri is not allowed for this project');
  // Attack: an open redirector on the app's origin, or a page there that leaks its address, discloses the code (RFC 9700
  // section 4.1). With a list, only the listed pages get codes.
  if (!isListed(requested, url, app)) {
    throw refused('redirect_uri is not one of the redirect_uris of the extension');
  }
  return url.href;
}

function defaultTarget(app: AppOrigins): string {
  const { redirect_uris: listed } = app.spec;
  if (listed !== undefined) {
    if (listed.length === 1) return redirectTarget(listed[0] as string, app);
    throw refused('redirect_uri is required, because the extension has several redirect_uris');
  }
  const project = webUrl(app.projectUrl);
  if (project === null) {
    throw refused('redirect_uri is required, because the project has no usable URL');
  }
  return project.href;
}

// Native apps listen on a random port, so loopback URIs are not in the list (RFC 8252 section 7.3).
function isListed(requested: string, url: URL, { spec }: AppOrigins): boolean {
  return spec.redirect_uris === undefined || spec.redirect_uris.includes(requested) || isLoopback(url, spec);
}

function isLoopback(url: URL, { allow_localhost: allowed }: AppOrigins['spec']): boolean {
  return allowed !== false && url.protocol === 'http:' && loopbackHosts.has(url.hostname);
}

/** Whether a canonical origin is the app's: loopback, that of the project URL or of a custom domain. */
export function isAppOrigin(origin: string, { projectUrl, customDomains, spec }: AppOrigins): boolean {
  const url = webUrl(origin);
  if (url === null || url.origin !== origin) return false;
  if (isLoopback(url, spec)) return true;
  // Attack: comparing by prefix lets `https://app.example.evil.example` pass for `https://app.example`.
  return [projectUrl, ...customDomains].some((allowed) => webUrl(allowed)?.origin === origin);
}

function refused(description: string): OAuthError {
  return new OAuthError('invalid_request', description, {
    remedy:
      'Use an address of the app: one of redirect_uris when the extension has them, otherwise a URL on the origin of the project or of one of its custom domains, or http://localhost with any port.',
  });
}
