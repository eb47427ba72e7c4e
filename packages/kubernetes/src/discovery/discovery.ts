import { apiVersionOf } from '../model/kind.ts';
import type { ServedResource } from './served-resource.ts';

/** The documents below `/api` and `/apis`, of what is served. */
export interface Discovery {
  /** The groups with their versions, for `/`. */
  paths(): readonly { readonly name: string; readonly versions: readonly string[] }[];
  /** `/api`. */
  coreVersions(serverAddress: string): object;
  /** `/apis`. */
  groups(): object;
  /** `/apis/{group}`; null for a group that is not served. */
  group(name: string): object | null;
  /** `/api/v1` and `/apis/{group}/{version}`; null for a version that is not served. */
  resources(group: string, version: string): object | null;
  /** Aggregated discovery (KEP-3352) of the core group, or of all others. */
  aggregated(core: boolean): object;
}

/** The media type of aggregated discovery. */
export const aggregatedType = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

/** Discovery of the resources. */
export function discoveryOf(served: readonly ServedResource[]): Discovery {
  // By group and version: looking through all kinds for each of them would take the square of their number.
  const places = new Map<string, Map<string, ServedResource[]>>();
  for (const one of served) {
    const versions = places.get(one.group) ?? new Map<string, ServedResource[]>();
    places.set(one.group, versions);
    const others = versions.get(one.version);
    if (others === undefined) versions.set(one.version, [one]);
    else others.push(one);
  }
  const versionsOf = (group: string) => [...(places.get(group)?.keys() ?? [])].sort(compareVersions);
  const names = [...places.keys()].filter((group) => group !== '').sort();
  const known = new Set(names);
  const at = (group: string, version: string) => places.get(group)?.get(version) ?? [];
  return {
    paths: () => ['', ...names].map((name) => ({ name, versions: versionsOf(name) })),
    coreVersions: (serverAddress) => ({
      kind: 'APIVersions',
      versions: versionsOf(''),
      serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress }],
    }),
    groups: () => ({
      kind: 'APIGroupList',
      apiVersion: 'v1',
      groups: names.map((name) => groupOf(name, versionsOf(name))),
    }),
    group: (name) =>
      known.has(name) ? { kind: 'APIGroup', apiVersion: 'v1', ...groupOf(name, versionsOf(name)) } : null,
    resources(group, version) {
      const found = at(group, version);
      if (found.length === 0) return null;
      return {
        kind: 'APIResourceList',
        apiVersion: 'v1',
        groupVersion: apiVersionOf({ group, version }),
        resources: found.flatMap(resourceEntries),
      };
    },
    aggregated: (core) => ({
      kind: 'APIGroupDiscoveryList',
      apiVersion: 'apidiscovery.k8s.io/v2',
      metadata: {},
      items: (core ? [''] : names).map((name) => ({
        metadata: name === '' ? {} : { name },
        versions: versionsOf(name).map((version) => ({
          version,
          resources: at(name, version).map(aggregatedEntry),
          freshness: 'Current',
        })),
      })),
    }),
  };
}

function groupOf(name: string, versions: readonly string[]): object {
  const entries = versions.map((version) => ({ groupVersion: `${name}/${version}`, version }));
  return { name, versions: entries, preferredVersion: entries[0] };
}

function resourceEntries(one: ServedResource): readonly object[] {
  const { kind, plural, singular, shortNames, categories, namespaced, verbs, subresources } = one;
  return [
    {
      name: plural,
      singularName: singular,
      namespaced,
      kind,
      verbs,
      ...(shortNames.length > 0 ? { shortNames } : {}),
      ...(categories.length > 0 ? { categories } : {}),
    },
    ...subresources.map((sub) => ({
      name: `${plural}/${sub.name}`,
      singularName: '',
      namespaced,
      kind,
      ...sub.answers,
      verbs: sub.verbs,
    })),
  ];
}

function aggregatedEntry(one: ServedResource): object {
  const { group, version, kind, plural, singular, shortNames, categories, namespaced, verbs, subresources } =
    one;
  const responseKind = { group, version, kind };
  return {
    resource: plural,
    responseKind,
    scope: namespaced ? 'Namespaced' : 'Cluster',
    singularResource: singular,
    verbs,
    ...(shortNames.length > 0 ? { shortNames } : {}),
    ...(categories.length > 0 ? { categories } : {}),
    ...(subresources.length > 0
      ? {
          subresources: subresources.map((sub) => ({
            subresource: sub.name,
            responseKind: sub.answers ?? responseKind,
            verbs: sub.verbs,
          })),
        }
      : {}),
  };
}

const form = /^v(\d+)(?:(alpha|beta)(\d+))?$/;
const stages = ['alpha', 'beta', undefined];

/**
 * Orders versions as Kubernetes does ("Version priority"): stable before beta before alpha, the greater number first, then every other name by
 * its letters.
 */
function compareVersions(a: string, b: string): number {
  const [left, right] = [form.exec(a), form.exec(b)];
  if (left === null || right === null) {
    if (left !== null) return -1;
    if (right !== null) return 1;
    return a < b ? -1 : a > b ? 1 : 0;
  }
  const stage = stages.indexOf(right[2]) - stages.indexOf(left[2]);
  return stage || Number(right[1]) - Number(left[1]) || Number(right[3] ?? 0) - Number(left[3] ?? 0);
}
