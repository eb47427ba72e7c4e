import { type Address, ancestorsOf, isCustom, type Kind, labelOf, type Run } from './address.ts';
import { definitionSpec } from './definition-shapes.ts';
import {
  annotations,
  type Content,
  type Naming,
  type Operation,
  type Owner,
  specs,
  values,
} from './operation.ts';
import type { Call } from './reply.ts';
import type { Side } from './side.ts';

/** The request that an operation is on one side: uids and revisions are those of that side. */
export async function callOf(operation: Operation, run: Run, side: Side): Promise<Call> {
  const item = (at: Address, by: Naming, version = 'v1') => itemPath(run, side, at, by, version);
  switch (operation.do) {
    case 'create':
      return createCall(run, side, operation.at, operation.version, operation.content);
    case 'get':
      return { method: 'GET', path: item(operation.at, operation.by, operation.version), as: operation.as };
    case 'stray': {
      const { at, through, method } = operation;
      const collection = through === 'Nowhere' ? run.nowhere(at.kind) : run.collection(through, 'v1');
      return { method, path: `${collection}/uid:${side.uid(at)}`, as: 'operator' };
    }
    case 'list':
      return {
        method: 'GET',
        path: `${[run.collection(operation.kind, 'v1'), ...operation.below].join('/')}?limit=${operation.limit}`,
        as: 'operator',
      };
    case 'replace': {
      const path = item(operation.at, operation.by, operation.version);
      const current = operation.revision === 'none' ? null : await side.revision(path);
      const offset = { current: 0, older: -1, newer: 3, none: 0 }[operation.revision];
      const revision = current === null ? null : current + offset;
      const body = envelope(run, side, operation.at, operation.version, operation.content, revision);
      return { method: 'PUT', path, body, as: 'operator' };
    }
    case 'status': {
      const slot = operation.slot === null ? '' : `?slot=${encodeURIComponent(operation.slot)}`;
      const body = `{"status":${operation.value === null ? 'null' : values[operation.value]}}`;
      return {
        method: 'PUT',
        path: `${item(operation.at, operation.by)}/status${slot}`,
        body,
        as: operation.as,
      };
    }
    case 'finalizers': {
      const { add, remove, as } = operation;
      const body = JSON.stringify({ add, remove });
      return { method: 'PUT', path: `${item(operation.at, operation.by)}/finalizers`, body, as };
    }
    case 'delete':
      return { method: 'DELETE', path: item(operation.at, operation.by), as: operation.as };
    case 'deleteAndKillCollector':
      return { method: 'DELETE', path: item(operation.at, 'path'), as: 'operator' };
    case 'blockers':
      return { method: 'GET', path: `${item(operation.at, operation.by)}/deletion-blockers`, as: 'operator' };
    case 'define':
      return createCall(run, side, definition(operation.kind), 'v1', operation);
    case 'redefine': {
      const at = definition(operation.kind);
      const path = item(at, 'path');
      const body = envelope(run, side, at, 'v1', operation, await side.revision(path));
      return { method: 'PUT', path, body, as: 'operator' };
    }
    case 'killCollector':
    case 'startCollector':
      throw new Error(`${operation.do} is no request`);
  }
}

/** The address of a kind's definition. */
export function definition(kind: Kind): Address {
  return { kind: 'ResourceDefinition', names: [kind] };
}

/** The path of an item on one side. */
export function itemPath(run: Run, side: Side, at: Address, by: Naming, version = 'v1'): string {
  const names = by === 'uid' ? [`uid:${side.uid(at)}`] : run.names(at);
  return [run.collection(at.kind, version), ...names].join('/');
}

type Body = Content | { readonly shape: number; readonly kind: Kind };

function createCall(run: Run, side: Side, at: Address, version: string, content: Body): Call {
  const path = [run.collection(at.kind, version), ...run.names(at).slice(0, -1)].join('/');
  return { method: 'POST', path, body: envelope(run, side, at, version, content, null), as: 'operator' };
}

function envelope(
  run: Run,
  side: Side,
  at: Address,
  version: string,
  content: Body,
  revision: number | null,
): string {
  const apiVersion = `${run.groupOf(at.kind)}/${isCustom(at.kind) ? version : 'v1alpha1'}`;
  const own = [
    `"name":${JSON.stringify(run.name(at))}`,
    ...(revision === null ? [] : [`"revision":${revision}`]),
  ];
  const [metadata, spec] =
    'shape' in content
      ? [own, isCustom(content.kind) ? definitionSpec(run, content.kind, content.shape) : '{}']
      : [[...own, ...contentMetadata(run, side, content)], specs[content.spec] ?? '{}'];
  return `{"apiVersion":"${apiVersion}","kind":"${at.kind}","metadata":{${metadata.join(',')}},"spec":${spec}}`;
}

function contentMetadata(run: Run, side: Side, content: Content): readonly string[] {
  const owners = content.owners.map((owner) => reference(run, side, owner));
  return [
    `"annotations":${annotations[content.annotations]}`,
    ...(content.finalizers.length === 0 ? [] : [`"finalizers":${JSON.stringify(content.finalizers)}`]),
    ...(owners.length === 0 ? [] : [`"ownerReferences":${JSON.stringify(owners)}`]),
  ];
}

function reference(run: Run, side: Side, { of, blocking, flaw }: Owner): object {
  const group = flaw === 'group' ? 'wrong.example.dev' : run.groupOf(of.kind);
  const version = flaw === 'version' ? 'v9' : isCustom(of.kind) ? 'v1' : 'v1alpha1';
  return {
    apiVersion: `${group}/${version}`,
    kind: flaw === 'kind' ? 'Wrong' : of.kind,
    name: flaw === 'name' ? 'wrong' : run.name(of),
    uid: side.uid(of),
    ...(blocking ? { blockOwnerDeletion: true } : {}),
  };
}

/** Describes an operation, for the report of a failed run. */
export function describeOperation(operation: Operation): string {
  const { do: verb, ...rest } = operation;
  const at = 'at' in operation ? ` ${labelOf(operation.at)}` : '';
  return `${verb}${at} ${JSON.stringify(rest, (key, value) => (key === 'at' ? undefined : value))}`;
}

/** The kinds above an item, for whoever makes addresses. */
export const depthOf = (kind: Kind): number => (isCustom(kind) ? ancestorsOf[kind].length : 0);
