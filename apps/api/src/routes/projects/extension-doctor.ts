import type { Clock } from '@platform/kernel';
import type { Diagnosis, ProxyExtension } from '@platform/oauth-proxy';
import type { ProjectPorts } from '@platform/projects';
import { LRUCache } from 'lru-cache';
import { answerJson } from '../../http/answer.ts';
import { noStore } from '../../http/oauth-answer.ts';
import type { Route } from '../route.ts';
import { requireProxyExtension } from './proxy-extension.ts';

/** Looks at everything of an extension that can be looked at without a login. */
export type ExtensionDoctor = (extension: ProxyExtension) => Promise<Diagnosis>;

/** How long a diagnosis of an unchanged extension is answered again. */
const recentMs = 10_000;

/**
 * Looks at an extension at most once in ten seconds, unless it was changed. Attack: a member asks in a loop and makes the platform send
 * requests to a provider.
 */
export function onceInAWhile(doctor: ExtensionDoctor, clock: Clock): ExtensionDoctor {
  const recent = new LRUCache<
    string,
    { readonly of: string; readonly at: number; readonly found: Promise<Diagnosis> }
  >({
    max: 1_000,
  });
  return (extension) => {
    const of = JSON.stringify([extension.spec, extension.sealedUpstreamSecret, extension.clientSecrets]);
    const known = recent.get(extension.extensionUid);
    if (known !== undefined && known.of === of && clock.now() - known.at < recentMs) return known.found;
    const found = doctor(extension);
    recent.set(extension.extensionUid, { of, at: clock.now(), found });
    found.catch(() => recent.delete(extension.extensionUid));
    return found;
  };
}

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
