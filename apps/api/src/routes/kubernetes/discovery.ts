import { createHash } from 'node:crypto';
import { Problem } from '@platform/kernel';
import { aggregatedType, type Discovery, discoveryOf, servedResources } from '@platform/kubernetes';
import { type Answer, json } from '../../endpoint/answer.ts';
import type { Call } from '../../endpoint/call.ts';
import type { KnownKind } from './known-kinds.ts';
import type { KubernetesDeps } from './object-request.ts';

/** The version of Kubernetes whose API this is: clients compare it with their own. */
const kubernetesVersion = { major: '1', minor: '35' };

/** `/version`. */
export function versionAnswer({ softwareVersion }: KubernetesDeps): Answer {
  const { major, minor } = kubernetesVersion;
  const answer = {
    major,
    minor,
    emulationMajor: major,
    emulationMinor: minor,
    gitVersion: `v${major}.${minor}.0+platform-${softwareVersion}`,
    gitCommit: '',
    gitTreeState: 'clean',
    buildDate: '1970-01-01T00:00:00Z',
    goVersion: '',
    compiler: '',
    platform: process.platform,
  };
  return plain(answer);
}

/** `/api`, `/apis` and what is directly below them. Throws `unknown_endpoint`. */
export async function discoveryAnswer(
  deps: KubernetesDeps,
  call: Call,
  segments: readonly string[],
): Promise<Answer> {
  const documents = documentsOf(await deps.directory.known.all());
  const { discovery } = documents;
  const [root, first, second, ...more] = segments;
  const isCore = root === 'api';
  if (segments.length === 1) {
    if (acceptsAggregated(call.headers.accept)) {
      const { body, version } = documents.aggregated(isCore);
      return { status: 200, body, contentType: aggregatedType, headers: { ETag: `"${version}"` } };
    }
    return plain(isCore ? discovery.coreVersions(new URL(deps.publicUrl).host) : discovery.groups());
  }
  const [group, version] = isCore ? ['', first] : [first, second];
  const isTooLong = more.length > 0 || (isCore && second !== undefined);
  const found = isTooLong
    ? null
    : version === undefined
      ? discovery.group(group ?? '')
      : discovery.resources(group ?? '', version);
  if (found === null)
    throw new Problem('unknown_endpoint', 'the server could not find the requested resource');
  return plain(found);
}

const unlisted = ['/healthz', '/livez', '/openapi/v2', '/openapi/v3', '/readyz', '/version'];

/** `/`: the paths that there are. */
export async function pathsAnswer(deps: KubernetesDeps): Promise<Answer> {
  const { discovery } = documentsOf(await deps.directory.known.all());
  const groups = discovery.paths().flatMap(({ name, versions }) => {
    const root = name === '' ? '/api' : `/apis/${name}`;
    return [root, ...versions.map((version) => `${root}/${version}`)];
  });
  return plain({ paths: [...groups, '/apis', ...unlisted].sort() });
}

interface Documents {
  readonly discovery: Discovery;
  aggregated(isCore: boolean): { readonly body: string; readonly version: string };
}

/** By the list of kinds that they are made of: clients ask all replicas for the large ones at every start. */
const made = new WeakMap<readonly KnownKind[], Documents>();

function documentsOf(kinds: readonly KnownKind[]): Documents {
  const known = made.get(kinds);
  if (known !== undefined) return known;
  const discovery = discoveryOf(servedResources(kinds.map(({ kind }) => kind)));
  const texts = new Map<boolean, { body: string; version: string }>();
  const documents: Documents = {
    discovery,
    aggregated(isCore) {
      const body = texts.get(isCore)?.body ?? JSON.stringify(discovery.aggregated(isCore));
      const version = texts.get(isCore)?.version ?? createHash('sha256').update(body).digest('base64url');
      texts.set(isCore, { body, version });
      return { body, version };
    },
  };
  made.set(kinds, documents);
  return documents;
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
