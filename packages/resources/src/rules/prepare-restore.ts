import { type Fault, Problem } from '@platform/kernel';
import { parseDocument } from '../model/json-document.ts';
import { versionOf } from '../model/names.ts';
import type { OwnerReference } from '../model/owner-reference.ts';
import { annotationsRestoredFrom } from '../model/removed-resource.ts';
import { identityOf, type JsonText, type Resource } from '../model/resource.ts';
import { prepareCreate, type ResourceContent, type WriteTarget } from './prepare-create.ts';

/** A removed resource as it is to be created: by the body that a client would send, so that the same rules apply. */
export function prepareRestore(
  removed: Resource,
  changed: {
    readonly name: string;
    readonly spec: JsonText;
    readonly ownerReferences: readonly OwnerReference[];
  },
  target: Omit<WriteTarget, 'version'>,
): ResourceContent {
  const { apiVersion, kind, labels } = removed;
  const metadata = [
    `"name":${JSON.stringify(changed.name)}`,
    `"labels":${JSON.stringify(labels)}`,
    `"annotations":${annotationsRestoredFrom(removed)}`,
    `"ownerReferences":${JSON.stringify(changed.ownerReferences)}`,
  ];
  const identity = `"apiVersion":${JSON.stringify(apiVersion)},"kind":${JSON.stringify(kind)}`;
  const body = parseDocument(`{${identity},"metadata":{${metadata.join(',')}},"spec":${changed.spec}}`);
  return prepareCreate(body, { ...target, version: versionOf(apiVersion) });
}

/** The faults of a refused stored state. An error that is no refusal of a request is thrown again. */
export function faultsOf(error: unknown): readonly Fault[] {
  if (!(error instanceof Problem) || error.status >= 500 || error.status === 403) throw error;
  return error.errors ?? [{ path: '', message: error.message }];
}

/** A stored state that is not valid any more. */
export interface InvalidState {
  readonly removed: Resource;
  readonly errors: readonly Fault[];
}

/** The refusal of a restore, with every fault of every stored state. */
export function restoreInvalid(states: readonly InvalidState[]): Problem {
  const faults = states.flatMap(({ removed, errors }) =>
    errors.map(({ path, message }) => ({ path, message: `${removed.kind} ${removed.name}: ${message}` })),
  );
  const [first] = faults.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`));
  const more = faults.length > 1 ? ` (and ${faults.length - 1} more)` : '';
  const shown = states.map(({ removed, errors }) => ({
    ...identityOf(removed),
    errors: errors.map(({ path, message: text }) => ({ path, message: text })),
  }));
  return new Problem('restore_invalid', `Nothing was restored: ${first}${more}`, {
    errors: faults,
    members: { invalid: shown },
  });
}
