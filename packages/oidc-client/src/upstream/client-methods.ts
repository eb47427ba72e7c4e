import type { UpstreamClient } from '@platform/oauth-proxy';

/** How the platform authenticates as a client at a provider (RFC 6749, section 2.3.1). */
export type ClientMethod = 'client_secret_basic' | 'client_secret_post';

/**
 * The methods to try, in order. A provider that lists none supports Basic (OpenID Connect Discovery, section 3); one without discovery
 * usually resembles GitHub, which documents the form. The second is tried only if the client is rejected.
 */
export function methodsOf({ metadata }: Pick<UpstreamClient, 'metadata'>): readonly ClientMethod[] {
  if (metadata === null) return ['client_secret_post', 'client_secret_basic'];
  const listed = metadata.token_endpoint_auth_methods_supported;
  const known = (['client_secret_basic', 'client_secret_post'] as const).filter(
    (method) => listed?.includes(method) ?? true,
  );
  return known.length === 0 ? ['client_secret_post'] : known;
}

/** Creates the headers and the body of an authenticated request. */
export function authenticate(
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
