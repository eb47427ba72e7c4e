import type { ProxyExtension } from '@platform/oauth-proxy';
import type { ProjectPorts } from '@platform/projects';
import { answerJson } from '../../http/answer.ts';
import { noStore } from '../../http/oauth-answer.ts';
import type { Route } from '../route.ts';
import { requireProxyExtension } from './proxy-extension.ts';

/** The environment variables of an extension, by name. */
export type ExtensionEnvironment = (extension: ProxyExtension) => Readonly<Record<string, string>>;

/** `GET /api/v1/projects/{project}/extensions/{extension}/env`: the four injected variables, for project members. */
export function extensionEnvRoute(ports: ProjectPorts, environment: ExtensionEnvironment): Route {
  return {
    method: 'GET',
    path: '/api/v1/projects/:project/extensions/:name/env',
    access: 'authenticated',
    async handle(request, response) {
      const extension = await requireProxyExtension(ports, request);
      answerJson(response, 200, environment(extension), noStore);
    },
  };
}
