import { Problem } from '@platform/kernel';
import { aggregatedType, discoveryOf, servedResources } from '@platform/kubernetes';
import { type Answer, json } from '../../endpoint/answer.ts';
import type { Call } from '../../endpoint/call.ts';
import type { KubernetesDeps } from './object-request.ts';

/** The version of Kubernetes whose API this is: clients compare it with their own. */
const kubernetesVersion = { major: '1', minor: '35' };

/** `/version`. */
export function versionAnswer({ softwareVersion }: KubernetesDeps): Answer {
  const { major, minor } = kubernetesVersion;
  const answer = {
    ...{ major, minor, emulationMajor: major, emulationMinor: minor },
    gitVersion: `v${major}.${minor}.0+platform-${softwareVersion}`,
    ...{ gitCommit: '', gitTreeState: 'clean', buildDate: '1970-01-01T00:00:00Z' },
    ...{ goVersion: '', compiler: '', platform: process.platform },
  };
  return plain(answer);
}

/** `/api`, `/apis` and what is directly below them. Throws `unknown_endpoint`. */
export async function discoveryAnswer(
  deps: KubernetesDeps,
  call: Call,
  segments: readonly string[],
): Promise<Answer> {
  const discovery = discoveryOf(servedResources(await deps.directory.all()));
  const [root, first, second] = segments;
  const isCore = root === 'api';
  if (segments.length === 1) {
    if (acceptsAggregated(call.headers.accept)) {
      return { ...plain(discovery.aggregated(isCore)), contentType: aggregatedType };
    }
    return plain(isCore ? discovery.coreVersions(new URL(deps.publicUrl).host) : discovery.groups());
  }
  const [group, version] = isCore ? ['', first] : [first, second];
  const found =
    version === undefined ? discovery.group(group ?? '') : discovery.resources(group ?? '', version);
  if (found === null)
    throw new Problem('unknown_endpoint', 'the server could not find the requested resource');
  return plain(found);
}

function plain(value: object): Answer {
  return { ...json(200, value), contentType: 'application/json' };
}

/** Clients name it before the older form. */
function acceptsAggregated(accept = ''): boolean {
  return accept
    .split(',')
    .some((range) => range.includes('as=APIGroupDiscoveryList') && /\bv=v2(?:;|$)/.test(range.trim()));
}
