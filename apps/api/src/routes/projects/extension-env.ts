import { Problem } from '@platform/kernel';
import type { ProxyExtension } from '@platform/oauth-proxy';
import { type ProjectPorts, requireProject } from '@platform/projects';
import { answerJson } from '../../http/answer.ts';
import { noStore } from '../../http/oauth-answer.ts';
import type { Route } from '../route.ts';
import { nameIn, principalOf } from './request.ts';

/** The environment variables of an extension, by name. */
export type ExtensionEnvironment = (extension: ProxyExtension) => Readonly<Record<string, string>>;

/** `GET /api/v1/projects/{project}/extensions/{extension}/env`: the four injected variables, for project members. */
export function extensionEnvRoute(ports: ProjectPorts, environment: ExtensionEnvironment): Route {
  return {
    method: 'GET',
    path: '/api/v1/projects/:project/extensions/:name/env',
    access: 'authenticated',
    async handle(request, response) {
      const name = nameIn(request, 'project');
      // Not what a service account may read: the answer holds the client secret.
      const project = await requireProject(ports, principalOf(request), name, 'children.read');
      const extension = await ports.extensions.find(project.uid, nameIn(request, 'name'));
      if (extension === null) throw new Problem('not_found', 'There is no such extension.');
      const variables = environment({
        ...extension,
        extensionUid: extension.uid,
        project: project.name,
        extension: extension.name,
        projectUrl: project.url,
        customDomains: project.customDomains,
      });
      answerJson(response, 200, variables, noStore);
    },
  };
}
