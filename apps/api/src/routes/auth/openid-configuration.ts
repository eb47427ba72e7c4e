import { endpoint } from '../../endpoint/descriptor.ts';
import { ref } from '../../endpoint/documentation.ts';
import { cacheable, cacheableDocs } from './jwks.ts';

/** `GET /.well-known/openid-configuration`: what the platform is to an OpenID Connect client. */
export const openidConfiguration = endpoint({
  method: 'GET',
  path: '/.well-known/openid-configuration',
  id: 'getProviderMetadata',
  tag: 'Tokens and identity',
  summary: 'Read the OpenID Connect metadata of the platform',
  access: 'public',
  unlimited: 'a constant text, which clients may cache',
  responses: {
    200: { description: 'Provider metadata.', schema: ref('ProviderMetadata'), headers: cacheableDocs },
  },
  handle: (deps: { readonly providerMetadata: string }) => ({
    status: 200,
    body: deps.providerMetadata,
    headers: cacheable,
  }),
});
