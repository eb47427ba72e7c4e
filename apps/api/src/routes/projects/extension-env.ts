import type { ProxyExtension } from '@platform/oauth-proxy';
import { json } from '../../endpoint/answer.ts';
import { endpoint } from '../../endpoint/descriptor.ts';
import { noStore } from '../../endpoint/oauth-endpoint.ts';
import { nameParams } from '../../endpoint/path-parameters.ts';
import { namedProblems, type TypedDeps, typedEndpoint } from './item.ts';
import { requireProxyExtension } from './proxy-extension.ts';

/** The environment variables of an extension, by name. */
export type ExtensionEnvironment = (extension: ProxyExtension) => Readonly<Record<string, string>>;

/** `GET .../extensions/{extension}/env`: the four injected variables, for project members. */
export const extensionEnv = endpoint({
  ...typedEndpoint,
  method: 'GET',
  path: '/api/v1/projects/{project}/extensions/{extension}/env',
  id: 'getExtensionEnvironment',
  tag: 'Below projects',
  summary: 'Read the environment variables of an extension',
  params: nameParams('project', 'extension'),
  responses: {
    200: {
      description: 'The four variables that the app gets.',
      schema: { type: 'object', additionalProperties: { type: 'string' } },
      example: {
        SIGN_IN_CLIENT_ID: 'shop-sign-in',
        SIGN_IN_CLIENT_SECRET: '<client secret>',
        SIGN_IN_ISSUER: 'https://platform.example/oidc/shop/sign-in',
        PLATFORM_ISSUER: 'https://platform.example',
      },
    },
  },
  problems: namedProblems,
  handle: async (
    { ports, environment }: TypedDeps & { readonly environment: ExtensionEnvironment },
    { principal, params },
  ) => json(200, environment(await requireProxyExtension(ports, principal, params)), noStore),
});
