import type { Clock } from '@platform/kernel';
import type { Diagnosis, ProxyExtension } from '@platform/oauth-proxy';
import { LRUCache } from 'lru-cache';
import { json } from '../../endpoint/answer.ts';
import { endpoint } from '../../endpoint/descriptor.ts';
import { ref } from '../../endpoint/documentation.ts';
import { noStore } from '../../endpoint/oauth-endpoint.ts';
import { nameParams } from '../../endpoint/path-parameters.ts';
import { namedProblems, type TypedDeps, typedEndpoint } from './item.ts';
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
    // A clock that was set back must not make a diagnosis last.
    const isRecent = known !== undefined && Math.abs(clock.now() - known.at) < recentMs;
    if (isRecent && known.of === of) return known.found;
    const found = doctor(extension);
    recent.set(extension.extensionUid, { of, at: clock.now(), found });
    found.catch(() => recent.delete(extension.extensionUid));
    return found;
  };
}

/** `GET .../extensions/{extension}/doctor`: its faults and their remedies, for project members. */
export const extensionDoctor = endpoint({
  ...typedEndpoint,
  method: 'GET',
  path: '/api/v1/projects/{project}/extensions/{extension}/doctor',
  id: 'diagnoseExtension',
  tag: 'Below projects',
  summary: 'Find out what is wrong with an extension',
  params: nameParams('project', 'extension'),
  responses: {
    200: { description: 'The result of every check that was possible.', schema: ref('Diagnosis') },
  },
  problems: namedProblems,
  handle: async (
    { ports, doctor }: TypedDeps & { readonly doctor: ExtensionDoctor },
    { principal, params },
  ) => json(200, await doctor(await requireProxyExtension(ports, principal, params)), noStore),
});
