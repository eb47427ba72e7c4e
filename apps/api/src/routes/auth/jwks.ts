import { answer } from '../../http/answer.ts';
import type { Route } from '../route.ts';

/** Public and the same for everybody until the keys change, which the next start makes them do at the earliest. */
export const cacheable = { 'Cache-Control': 'public, max-age=300' } as const;

/** `GET /api/v1/auth/jwks`: the public keys of ingress, workload and ID tokens (RFC 7517). */
export function jwks(keys: unknown): Route {
  const text = JSON.stringify(keys);
  return {
    method: 'GET',
    path: '/api/v1/auth/jwks',
    access: 'public',
    handle: (_request, response) => answer(response, 200, text, cacheable),
  };
}
