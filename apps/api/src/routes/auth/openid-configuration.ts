import { providerMetadata } from '@platform/tokens';
import { answer } from '../../http/answer.ts';
import type { Route } from '../route.ts';
import { cacheable } from './jwks.ts';

/** `GET /.well-known/openid-configuration`: what the platform is to an OpenID Connect client. */
export function openidConfiguration(publicUrl: string): Route {
  const text = JSON.stringify(providerMetadata(publicUrl));
  return {
    method: 'GET',
    path: '/.well-known/openid-configuration',
    access: 'public',
    handle: (_request, response) => answer(response, 200, text, cacheable),
  };
}
