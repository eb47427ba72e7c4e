import { readDiscoveryDocument, readKeySet } from '@platform/oauth-proxy';
import { json } from '../../endpoint/answer.ts';
import { type Endpoint, endpoint } from '../../endpoint/descriptor.ts';
import { ref } from '../../endpoint/documentation.ts';
import { admitScript, commonErrors, forScripts, type OAuthDeps, preflight } from './proxy-endpoint.ts';

/** One document that anybody may read: the use case that makes it, and for how many seconds caches may keep it. */
interface ProxyDocument {
  readonly path: string;
  readonly id: string;
  readonly summary: string;
  readonly schema: string;
  readonly read: typeof readDiscoveryDocument | typeof readKeySet;
  readonly maxAge: number;
}

/** The GET of a document and its preflight. */
function documentEndpoints({
  path,
  id,
  summary,
  schema,
  read,
  maxAge,
}: ProxyDocument): readonly Endpoint<OAuthDeps>[] {
  const get = endpoint({
    ...forScripts,
    method: 'GET',
    path,
    id,
    summary,
    responses: { 200: { description: 'The document, cacheable.', schema: ref(schema) } },
    oauthErrors: commonErrors,
    async handle(deps: OAuthDeps, { params }, call) {
      await admitScript(deps, params, call);
      const document = await read(deps.ports, params);
      call.removeHeader('Pragma');
      return json(200, document, { 'Cache-Control': `public, max-age=${maxAge}` });
    },
  });
  return [get, preflight(path, id, ['GET'])];
}

/** The public documents of an extension. */
export const proxyDocuments = [
  // OpenID Connect Discovery, section 4.
  ...documentEndpoints({
    path: '/oidc/{project}/{extension}/.well-known/openid-configuration',
    id: 'proxyDiscovery',
    summary: 'Read the provider metadata of the extension',
    schema: 'ProviderMetadata',
    read: readDiscoveryDocument,
    maxAge: 300,
  }),
  // OAuth clients look for the document here (RFC 8414, section 3.1).
  ...documentEndpoints({
    path: '/.well-known/oauth-authorization-server/oidc/{project}/{extension}',
    id: 'proxyServerMetadata',
    summary: 'Read the same where OAuth clients look for it',
    schema: 'ProviderMetadata',
    read: readDiscoveryDocument,
    maxAge: 300,
  }),
  // Shorter than discovery: a provider that rotates its keys in a hurry should not have to wait for us.
  ...documentEndpoints({
    path: '/oidc/{project}/{extension}/jwks',
    id: 'proxyKeys',
    summary: 'Read the keys of the ID tokens of the extension',
    schema: 'Jwks',
    read: readKeySet,
    maxAge: 60,
  }),
];
