import { foldEmailCase, type Precondition, Problem, requireMet } from '@platform/kernel';
import { allOf, requireValid } from '@platform/resources';
import type { Principal } from '@platform/tokens';
import { z } from 'zod';
import { environmentMissing } from '../kinds/deployment.ts';
import type { ChildKind, KindContext, Rendered } from '../kinds/kind.ts';
import type { ChildRecords, Project } from '../model/records.ts';
import type { Sent, SentMembers } from '../model/sent.ts';
import type { ChildStore, ChildStores, PageQuery, PageRequest } from '../ports/stores.ts';
import type { ChildWriter, ChildWriters } from '../ports/transactions.ts';
import { changesNothing, childReadBack, requireUnchanged } from '../rules/unchanged.ts';
import { type AuditedRequest, changedMembers, childEntry, recordOf } from './audited.ts';
import { type RenderedPage, readPageOf } from './page.ts';
import type { ProjectPorts } from './ports.ts';
import { lockProject, missing, requireProject } from './require-project.ts';
import { valueOrAllFaults } from './value-or-all-faults.ts';

type ChildName = keyof ChildRecords;

/** A request for resources below a project. */
export interface ChildRequest {
  readonly principal: Principal;
  /** The name of the project in the path. */
  readonly project: string;
}

/** A request to change one resource, with the versions that the caller accepts. */
export interface ItemRequest extends ChildRequest, AuditedRequest {
  readonly name: string;
  readonly precondition: Precondition | null;
}

/** Lists the resources of a kind in a project, ordered by name. */
export async function listChildren<Name extends ChildName, Body>(
  ports: ProjectPorts,
  kind: ChildKind<Name, Body>,
  request: ChildRequest & { readonly page: PageRequest },
): Promise<RenderedPage> {
  const project = await requireProject(ports, request.principal, request.project, kind.actions.read);
  const context = contextOf(ports, project, request.principal);
  const read = (part: PageQuery) => storeOf(ports, kind).list(project.uid, part);
  return await readPageOf(read, request.page, (record) => kind.render(record, context));
}

/** Reads a resource. */
export async function getChild<Name extends ChildName, Body>(
  ports: ProjectPorts,
  kind: ChildKind<Name, Body>,
  request: ChildRequest & { readonly name: string },
): Promise<Rendered> {
  const project = await requireProject(ports, request.principal, request.project, kind.actions.read);
  const record = await storeOf(ports, kind).find(project.uid, request.name);
  if (record === null) throw missing(kind.noun);
  return kind.render(record, contextOf(ports, project, request.principal));
}

/** Creates a resource. Only this response contains its new secrets. */
export async function createChild<Name extends ChildName, Body>(
  ports: ProjectPorts,
  kind: ChildKind<Name, Body>,
  request: ChildRequest & AuditedRequest & { readonly body: Sent<Body> },
): Promise<Rendered> {
  return await ports.transactions.run(async (transaction) => {
    const project = await lockProject(transaction, ports, request, kind.actions.create, lockOf(kind));
    const context = contextOf(ports, project, request.principal);
    const body = await valueOrAllFaults(request.body, (sent) =>
      kind.validateInProject?.(sent, context, transaction),
    );
    const { draft, shownOnce } = kind.create(body, context);
    await kind.admit?.(draft, null, transaction);
    const result = await writerOf(transaction, kind).insert(draft);
    switch (result.outcome) {
      case 'created':
        await transaction.audit(
          recordOf(ports, request, childEntry(kind, `${kind.noun}.created`, { project, child: draft })),
        );
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
        throw environmentMissing();
    }
  });
}

/** The body of a PUT in its two parts. */
export interface ReplacementBody<Body> {
  /** Null for a kind of which a PUT changes nothing. */
  readonly changed: Body | null;
  /** The members that the client read and sends back. */
  readonly readBack: Readonly<Record<string, unknown>>;
}

/** Reads the body of a PUT. Throws `validation_failed` with all faults. */
export function readReplacement<Name extends ChildName, Body>(
  { readBack, replacement }: ChildKind<Name, Body>,
  body: unknown,
  name: string,
  context: Pick<KindContext, 'specPolicy'>,
): ReplacementBody<Body> {
  const members = Object.entries(requireValid(z.record(z.string(), z.unknown()), body));
  const names: readonly string[] = [...childReadBack, ...readBack];
  const rest = Object.fromEntries(members.filter(([member]) => !names.includes(member)));
  const changed = replacement === null ? requireNothing(rest) : replacement.read(rest, name, context);
  return { changed, readBack: Object.fromEntries(members.filter(([member]) => names.includes(member))) };
}

function requireNothing(rest: object): null {
  requireValid(z.strictObject({}), rest);
  return null;
}

/** Replaces a resource. */
export async function replaceChild<Name extends ChildName, Body>(
  ports: ProjectPorts,
  kind: ChildKind<Name, Body>,
  request: ItemRequest & { readonly body: Sent<ReplacementBody<Body>> },
): Promise<Rendered> {
  return await ports.transactions.run(async (transaction) => {
    const project = await lockProject(transaction, ports, request, 'children.write', lockOf(kind));
    const stored = await writerOf(transaction, kind).lock(project.uid, request.name);
    if (stored === null) throw missing(kind.noun);
    const context = contextOf(ports, project, request.principal);
    const requireSame = (sent: SentMembers) =>
      requireUnchanged(sent, kind.render(stored, context), [...childReadBack, ...kind.readBack]);
    const { changed, readBack } = await valueOrAllFaults(request.body, requireSame);
    requireMet(request.precondition, stored);
    const [, changes] = allOf(
      () => requireSame(readBack),
      () => (changed === null ? {} : (kind.replacement?.apply(changed, stored, context) ?? {})),
    );
    const unchanged = changesNothing(changes as Partial<ChildRecords[Name]>, stored);
    if (unchanged) return kind.render(stored, context);
    await kind.admit?.({ ...stored, ...changes }, stored, transaction);
    const details = { changed: changedMembers(changes as Partial<ChildRecords[Name]>, stored) };
    const entry = childEntry(kind, `${kind.noun}.updated`, { project, child: stored, details });
    await transaction.audit(recordOf(ports, request, entry));
    return kind.render(await writerOf(transaction, kind).update(stored.uid, changes), context);
  });
}

/** Deletes a resource. */
export async function deleteChild<Name extends ChildName, Body>(
  ports: ProjectPorts,
  kind: ChildKind<Name, Body>,
  request: ItemRequest,
): Promise<void> {
  await ports.transactions.run(async (transaction) => {
    const project = await lockProject(transaction, ports, request, 'children.write');
    const stored = await writerOf(transaction, kind).lock(project.uid, request.name);
    if (stored === null) throw missing(kind.noun);
    requireMet(request.precondition, stored);
    if ((await writerOf(transaction, kind).remove(stored.uid)) === 'inUse')
      throw new Problem('in_use', `Deployments run in ${request.name}; delete them first.`);
    const entry = childEntry(kind, `${kind.noun}.deleted`, { project, child: stored });
    await transaction.audit(recordOf(ports, request, entry));
  });
}

/** The context of a request for the functions of a kind. */
export function contextOf(ports: ProjectPorts, project: Project, principal: Principal): KindContext {
  const isPerson = principal.type === 'user' || principal.type === 'operator';
  const actor = principal.type === 'controller' ? null : foldEmailCase(principal.email);
  return { ...ports, project, callerEmail: isPerson ? actor : null, actor };
}

/** How a write locks the project. */
function lockOf({ admit }: { readonly admit?: unknown }): 'update' | 'share' {
  return admit === undefined ? 'share' : 'update';
}

function storeOf<Name extends ChildName>(
  stores: ChildStores,
  { collection }: { readonly collection: Name },
): ChildStore<ChildRecords[Name]> {
  return stores[collection];
}

function writerOf<Name extends ChildName>(
  writers: ChildWriters,
  { collection }: { readonly collection: Name },
): ChildWriter<ChildRecords[Name]> {
  return writers[collection];
}
