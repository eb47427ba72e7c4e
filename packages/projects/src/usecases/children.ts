import { invalid, Problem } from '@platform/kernel';
import { foldEmailCase, type Principal } from '@platform/tokens';
import type { ChildKind, KindContext } from '../kinds/kind.ts';
import type { Project, ProjectChild } from '../model/records.ts';
import type { ChildStore } from '../ports/stores.ts';
import { type RenderedPage, readPage, renderPageOf } from './page.ts';
import type { ProjectPorts } from './ports.ts';
import { missing, requireProject } from './require-project.ts';

/** One kind of resource below projects, with where it is kept: what the five verbs work on. */
export interface ChildCollection<R extends ProjectChild> {
  readonly kind: ChildKind<R>;
  readonly store: ChildStore<R>;
}

/** Who asks for what. */
export interface ChildRequest {
  readonly principal: Principal;
  /** The name of the project in the path. */
  readonly project: string;
}

type Rendered = Record<string, unknown>;

/** Lists the kind's resources of a project by name. */
export async function listChildren<R extends ProjectChild>(
  ports: ProjectPorts,
  { kind, store }: ChildCollection<R>,
  request: ChildRequest & { readonly query: URLSearchParams },
): Promise<RenderedPage> {
  const project = await requireProject(ports, request.principal, request.project, kind.actions.read);
  const page = await store.list(project.uid, readPage(request.query));
  return renderPageOf(
    page,
    (record) => kind.render(record, contextOf(ports, project, request.principal)) as { name: string },
  );
}

/** Reads one. */
export async function getChild<R extends ProjectChild>(
  ports: ProjectPorts,
  { kind, store }: ChildCollection<R>,
  request: ChildRequest & { readonly name: string },
): Promise<Rendered> {
  const project = await requireProject(ports, request.principal, request.project, kind.actions.read);
  const record = await store.find(project.uid, request.name);
  if (record === null) throw missing(nounOf(kind));
  return kind.render(record, contextOf(ports, project, request.principal));
}

/** Creates one. The answer shows secrets that no later answer does. */
export async function createChild<R extends ProjectChild>(
  ports: ProjectPorts,
  { kind, store }: ChildCollection<R>,
  request: ChildRequest & { readonly readBody: () => Promise<unknown> },
): Promise<Rendered> {
  const project = await requireProject(ports, request.principal, request.project, kind.actions.create);
  const context = contextOf(ports, project, request.principal);
  const { draft, shownOnce } = kind.create(await request.readBody(), context);
  const result = await store.insert(draft);
  switch (result.outcome) {
    case 'created':
      return { ...kind.render(result.record, context), ...shownOnce };
    case 'nameTaken':
      throw new Problem(
        'already_exists',
        `The project has a resource named ${draft.name} in ${kind.plural} already.`,
      );
    case 'projectMissing':
      throw missing('project');
    case 'referenceMissing':
      throw invalid([{ path: '/environment', message: 'no such environment exists in the project' }]);
  }
}

/** Replaces one. */
export async function replaceChild<R extends ProjectChild>(
  ports: ProjectPorts,
  { kind, store }: ChildCollection<R>,
  request: ChildRequest & { readonly name: string; readonly readBody: () => Promise<unknown> },
): Promise<Rendered> {
  const project = await requireProject(ports, request.principal, request.project, 'children.write');
  const stored = await store.find(project.uid, request.name);
  if (stored === null) throw missing(nounOf(kind));
  const context = contextOf(ports, project, request.principal);
  const replaced = await store.replace(kind.replace(await request.readBody(), stored, context));
  if (replaced === null) throw missing(nounOf(kind));
  return kind.render(replaced, context);
}

/** Deletes one. */
export async function deleteChild<R extends ProjectChild>(
  ports: ProjectPorts,
  { kind, store }: ChildCollection<R>,
  request: ChildRequest & { readonly name: string },
): Promise<void> {
  const project = await requireProject(ports, request.principal, request.project, 'children.write');
  const outcome = await store.remove(project.uid, request.name);
  if (outcome === 'missing') throw missing(nounOf(kind));
  if (outcome === 'inUse')
    throw new Problem('in_use', `Deployments run in ${request.name}; delete them first.`);
}

function contextOf(ports: ProjectPorts, project: Project, principal: Principal): KindContext {
  const isPerson = principal.type === 'user' || principal.type === 'operator';
  return { ...ports, project, callerEmail: isPerson ? foldEmailCase(principal.email) : null };
}

function nounOf({ plural }: Pick<ChildKind<ProjectChild>, 'plural'>): string {
  return plural.replace(/s$/, '').replace('-', ' ');
}
