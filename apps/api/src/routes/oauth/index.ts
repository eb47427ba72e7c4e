import { authorizeEndpoint } from './authorize.ts';
import { callbackEndpoint } from './callback.ts';
import { proxyDocuments } from './documents.ts';
import { preflight } from './proxy-endpoint.ts';
import { revokeEndpoint } from './revoke.ts';
import { tokenEndpoint } from './token.ts';
import { userinfoGet, userinfoPost } from './userinfo.ts';

/** The OAuth proxy: one issuer for each extension, below `/oidc/{project}/{extension}`. */
export const oauthEndpoints = [
  authorizeEndpoint,
  callbackEndpoint,
  tokenEndpoint,
  preflight(tokenEndpoint.path, tokenEndpoint.id, ['POST']),
  userinfoGet,
  userinfoPost,
  preflight(userinfoGet.path, userinfoGet.id, ['GET', 'POST']),
  revokeEndpoint,
  preflight(revokeEndpoint.path, revokeEndpoint.id, ['POST']),
  ...proxyDocuments,
];
