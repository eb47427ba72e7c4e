import { endpoint } from '../../endpoint/descriptor.ts';
import { ref } from '../../endpoint/documentation.ts';

/** Public and the same for everybody; the keys change at the next start at the earliest. */
export const cacheable = { 'Cache-Control': 'public, max-age=300' } as const;

/** `cacheable`, as the document describes it. */
export const cacheableDocs = { 'Cache-Control': '`public, max-age=300`' };

/** `GET /api/v1/auth/jwks`: the public keys of ingress, workload and ID tokens (RFC 7517). */
export const jwks = endpoint({
  method: 'GET',
  path: '/api/v1/auth/jwks',
  id: 'getKeys',
  tag: 'Tokens and identity',
  summary: 'Read the public keys of ingress, workload and ID tokens',
  access: 'public',
  unlimited: 'a constant text, which clients may cache',
  responses: { 200: { description: 'A key set.', schema: ref('Jwks'), headers: cacheableDocs } },
  handle: ({ jwks: keys }: { readonly jwks: string }) => ({ status: 200, body: keys, headers: cacheable }),
});
