/** The path of a project in the API. */
export function projectPath(project: string): string {
  return `/api/v1/projects/${encodeURIComponent(project)}`;
}

/** The path of a list below a project. */
export function collectionPathOf(project: string, collection: string): string {
  return `${projectPath(project)}/${collection}`;
}

/** The path of an item of such a list. */
export function childPath(project: string, collection: string, name: string): string {
  return `${collectionPathOf(project, collection)}/${encodeURIComponent(name)}`;
}
