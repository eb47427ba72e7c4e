/** The collections below a project, in the order of its tabs. */
export const collections = {
  environments: { noun: 'environment', tab: 'environments', title: 'Environments' },
  deployments: { noun: 'deployment', tab: 'deployments', title: 'Deployments' },
  'service-accounts': { noun: 'service account', tab: 'accounts', title: 'Service accounts' },
  extensions: { noun: 'extension', tab: 'extensions', title: 'Extensions' },
} as const;

export type CollectionName = keyof typeof collections;

export function isCollection(name: string): name is CollectionName {
  return Object.hasOwn(collections, name);
}

export function projectPath(project: string): string {
  return `/api/v1/projects/${encodeURIComponent(project)}`;
}

export function collectionPathOf(project: string, collection: CollectionName): string {
  return `${projectPath(project)}/${collection}`;
}

export function childPath(project: string, collection: CollectionName, name: string): string {
  return `${collectionPathOf(project, collection)}/${encodeURIComponent(name)}`;
}
