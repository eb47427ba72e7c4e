import type { Diagnosis, ProxyExtension } from '@platform/oauth-proxy';
import type { ProjectPorts } from '@platform/projects';
import { answerJson } from '../../http/answer.ts';
import { noStore } from '../../http/oauth-answer.ts';
import type { Route } from '../route.ts';
import { requireProxyExtension } from './proxy-extension.ts';

/** Looks at everything of an extension that can be looked at without a login. */
export type ExtensionDoctor = (extension: ProxyExtension) => Promise<Diagnosis>;

/** `GET /api/v1/projects/{project}/extensions/{extension}/doctor`: what is wrong with it and how to mend it, for project members. */
export function extensionDoctorRoute(ports: ProjectPorts, doctor: ExtensionDoctor): Route {
  return {
    method: 'GET',
    path: '/api/v1/projects/:project/extensions/:name/doctor',
    access: 'authenticated',
    async handle(request, response) {
      answerJson(response, 200, await doctor(await requireProxyExtension(ports, request)), noStore);
    },
  };
}
