import type { WholeApi } from './whole-api.ts';

/** The path of the projects. */
export const projects = '/api/v1/projects';
let sequence = 0;

/** Creates a project of the owner, with one member, and returns its path. */
export async function givenProject(api: WholeApi, fields: object = {}): Promise<string> {
  sequence += 1;
  const name = `shop-${sequence}`;
  await api
    .as('admin', 'post', projects)
    .send({ name, owner: { user: 'owner@example.dev' }, members: ['MEMBER@example.dev'], ...fields })
    .expect(201);
  return `${projects}/${name}`;
}

/** The name of the project at a path of {@link givenProject}. */
export function nameIn(path: string): string {
  return path.slice(projects.length + 1);
}
