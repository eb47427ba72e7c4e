import type { UpstreamClient } from '@platform/oauth-proxy';

/** How the platform shows its client secret to a provider (RFC 6749, section 2.3.1). */
export type ClientMethod = 'client_secret_basic' | 'client_secret_post';

/**
 * The ways to try, in order. A provider that lists none takes Basic (OpenID Connect Discovery, section 3); one without
 * discovery usually is of the GitHub kind, which documents the form. Only a refused client makes the second be tried.
 */
export function methodsOf({ metadata }: Pick<UpstreamClient, 'metadata'>): readonly ClientMethod[] {
  if (metadata === null) return ['client_secret_post', 'client_secret_basic'];
  const listed = metadata.token_endpoint_auth_methods_supported;
  const known = (['client_secret_basic', 'client_secret_post'] as const).filter(
    (method) => listed?.includes(method) ?? true,
  );
  return known.length === 0 ? ['client_secret_post'] : known;
}

/** The headers and form of a request that authenticates in this way. */
export function authenticated(
  client: Pick<UpstreamClient, 'clientId' | 'clientSecret'>,
  method: ClientMethod,
  form: Readonly<Record<string, string>>,
): { readonly headers: Readonly<Record<string, string>>; readonly body: string } {
  const headers = { Accept: 'application/json', 'Content-Type': 'application/x-www-form-urlencoded' };
  const { clientId, clientSecret } = client;
  if (method === 'client_secret_post') {
    const body = new URLSearchParams({ ...form, client_id: clientId, client_secret: clientSecret });
    return { headers, body: body.toString() };
  }
  const credentials = Buffer.from(`${formEncode(clientId)}:${formEncode(clientSecret)}`).toString('base64');
  return {
    headers: { ...headers, Authorization: `Basic ${credentials}` },
    body: new URLSearchParams(form).toString(),
  };
}

function formEncode(text: string): string {
  return new URLSearchParams({ '': text }).toString().slice(1);
}
