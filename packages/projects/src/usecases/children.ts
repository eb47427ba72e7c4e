import { invalid, type Precondition, Problem, requireMet } from '@platform/kernel';
import { foldEmailCase, type Principal } from '@platform/tokens';
import type { ChildKind, KindContext, Rendered } from '../kinds/kind.ts';
import type { Project, ProjectChild } from '../model/records.ts';
import type { ChildStore } from '../ports/stores.ts';
import type { ChildWriter, ProjectTransaction } from '../ports/transactions.ts';
import { changesNothing } from '../rules/unchanged.ts';
import { type RenderedPage, readPage, renderPageOf } from './page.ts';
import type { ProjectPorts } from './ports.ts';
import { readFirst } from './read-first.ts';
import { lockProject, missing, requireProject } from './require-project.ts';

/** One kind of resource below projects, with where it is kept: what the five verbs work on. */
export interface ChildCollection<R extends ProjectChild, Body> {
  readonly kind: ChildKind<R, Body>;
  readonly store: ChildStore<R>;
  readonly writer: (transaction: ProjectTransaction) => ChildWriter<R>;
}

/** Who asks for what. */
export interface ChildRequest {
  readonly principal: Principal;
  /** The name of the project in the path. */
  readonly project: string;
}

/** Who asks for a change of which item, and of which version of it. */
export interface ItemRequest extends ChildRequest {
  readonly name: string;
  readonly ifMatch: Precondition | null;
}

/** Lists the kind's resources of a project by name. */
export async function listChildren<R extends ProjectChild, Body>(
  ports: ProjectPorts,
  { kind, store }: ChildCollection<R, Body>,
  request: ChildRequest & { readonly query: URLSearchParams },
): Promise<RenderedPage> {
  const project = await requireProject(ports, request.principal, request.project, kind.actions.read);
  const page = await store.list(project.uid, readPage(request.query));
  return renderPageOf(page, (record) => kind.render(record, contextOf(ports, project, request.principal)));
}

/** Reads one. */
export async function getChild<R extends ProjectChild, Body>(
  ports: ProjectPorts,
  { kind, store }: ChildCollection<R, Body>,
  request: ChildRequest & { readonly name: string },
): Promise<Rendered> {
  const project = await requireProject(ports, request.principal, request.project, kind.actions.read);
  const record = await store.find(project.uid, request.name);
  if (record === null) throw missing(nounOf(kind));
  return kind.render(record, contextOf(ports, project, request.principal));
}

/** Creates one. The answer shows secrets that no later answer does. */
export async function createChild<R extends ProjectChild, Body>(
  ports: ProjectPorts,
  { kind, writer }: ChildCollection<R, Body>,
  request: ChildRequest & { readonly readBody: () => Promise<unknown> },
): Promise<Rendered> {
  const body = await readFirst(async () => kind.read(await request.readBody(), ports));
  return await ports.transactions.run(async (transaction) => {
    const project = await lockProject(transaction, ports, request, kind.actions.create);
    const context = contextOf(ports, project, request.principal);
    const { draft, shownOnce } = kind.create(body(), context);
    const result = await writer(transaction).insert(draft);
    switch (result.outcome) {
      case 'created':
        return { ...kind.render(result.record, context), ...shownOnce };
      case 'nameTaken':
        throw new Problem(
          'already_exists',
          `The project has a resource named ${draft.name} in ${kind.plural} already.`,
        );
      case 'clientIdTaken':
        throw new Problem(
          'already_exists',
          'An extension of another project has the client id that this one would get; use another name.',
        );
      case 'referenceMissing':
        throw invalid([{ path: '/environment', message: 'no such environment exists in the project' }]);
    }
  });
}

/** Replaces one. */
export async function replaceChild<R extends ProjectChild, Body>(
  ports: ProjectPorts,
  { kind, writer }: ChildCollection<R, Body>,
  request: ItemRequest & { readonly readBody: () => Promise<unknown> },
): Promise<Rendered> {
  const body = await readFirst(async () => kind.read(await request.readBody(), ports));
  return await ports.transactions.run(async (transaction) => {
    const project = await lockProject(transaction, ports, request, 'children.write');
    const stored = await writer(transaction).lock(project.uid, request.name);
    if (stored === null) throw missing(nounOf(kind));
    const context = contextOf(ports, project, request.principal);
    const changes = kind.replace(body(), stored, context);
    requireMet(request.ifMatch, stored);
    const unchanged = changesNothing(changes as Partial<R>, stored);
    const record = unchanged ? stored : await writer(transaction).update(stored.uid, changes);
    return kind.render(record, context);
  });
}

/** Deletes one. */
export async function deleteChild<R extends ProjectChild, Body>(
  ports: ProjectPorts,
  { kind, writer }: ChildCollection<R, Body>,
  request: ItemRequest,
): Promise<void> {
  await ports.transactions.run(async (transaction) => {
    const project = await lockProject(transaction, ports, request, 'children.write');
    const stored = await writer(transaction).lock(project.uid, request.name);
    if (stored === null) throw missing(nounOf(kind));
    requireMet(request.ifMatch, stored);
    if ((await writer(transaction).remove(stored.uid)) === 'inUse')
      throw new Problem('in_use', `Deployments run in ${request.name}; delete them first.`);
  });
}

/** What the kinds are given for a request. */
export function contextOf(ports: ProjectPorts, project: Project, principal: Principal): KindContext {
  const isPerson = principal.type === 'user' || principal.type === 'operator';
  const actor = principal.type === 'controller' ? null : foldEmailCase(principal.email);
  return { ...ports, project, callerEmail: isPerson ? actor : null, actor };
}

function nounOf({ plural }: { readonly plural: string }): string {
  return plural.replace(/s$/, '').replace('-', ' ');
}
