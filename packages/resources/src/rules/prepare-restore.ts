import { andMoreFaults, type Fault, maxFaults, Problem } from '@platform/kernel';
import { parseDocument } from '../model/json-document.ts';
import { type JsonValue, parseValue, renderValue } from '../model/json-value.ts';
import { clientMetadataValue } from '../model/managed-fields.ts';
import { versionOf } from '../model/names.ts';
import type { OwnerReference } from '../model/owner-reference.ts';
import { annotationsRestoredFrom } from '../model/removed-resource.ts';
import { identityOf, type JsonText, type Resource } from '../model/resource.ts';
import { prepareCreate, type ResourceContent, type WriteTarget } from './prepare-create.ts';

/**
 * A removed resource as it is to be created: by the body that a client would send, so that the same rules apply. Its finalizers are
 * not restored: the controllers that set them have done their work.
 */
export function prepareRestore(
  removed: Resource,
  changed: {
    readonly name: string;
    readonly spec: JsonText;
    readonly ownerReferences: readonly OwnerReference[];
    /** The uid that an owner has now. */
    readonly uidNow: (uid: string) => string;
  },
  target: Omit<WriteTarget, 'version'>,
): ResourceContent {
  const { apiVersion, kind } = removed;
  const metadata = new Map<string, JsonValue>([
    ...clientMetadataValue(removed),
    ['name', JSON.stringify(changed.name)],
    ['annotations', parseValue(annotationsRestoredFrom(removed, changed.uidNow))],
    ['ownerReferences', parseValue(JSON.stringify(changed.ownerReferences))],
  ]);
  metadata.delete('finalizers');
  const identity = `"apiVersion":${JSON.stringify(apiVersion)},"kind":${JSON.stringify(kind)}`;
  const body = parseDocument(`{${identity},"metadata":${renderValue(metadata)},"spec":${changed.spec}}`);
  return prepareCreate(body, { ...target, version: versionOf(apiVersion) });
}

/** The faults of a refused stored state. An error that is no refusal of a request is thrown again. */
function faultsOf(error: unknown): readonly Fault[] {
  if (!(error instanceof Problem) || error.status >= 500 || error.status === 403) throw error;
  return error.errors ?? [{ path: '', message: error.message }];
}

/** A stored state that is not valid any more. */
interface InvalidState {
  readonly removed: Resource;
  readonly errors: readonly Fault[];
}

/**
 * Collects the stored states that are not valid any more, with the first {@link maxFaults} faults of all and the first one of each.
 * Attack: a restore of ten thousand resources with a thousand faults each, which fill the memory.
 */
export class InvalidStates {
  readonly #states: InvalidState[] = [];
  #found = 0;
  #kept = 0;

  /** Throws an error that is no refusal of a request. */
  add(removed: Resource, error: unknown): void {
    const faults = faultsOf(error);
    const errors = faults.slice(0, Math.max(1, maxFaults - this.#kept));
    this.#found += faults.length;
    this.#kept += errors.length;
    this.#states.push({ removed, errors });
  }

  /** Throws `restore_invalid` when there are any. */
  throwIfAny(): void {
    if (this.#states.length === 0) return;
    const faults = this.#states
      .flatMap(({ removed, errors }) =>
        errors.map(({ path, message }) => ({
          path,
          message: `${removed.kind} ${removed.name}: ${message}`,
        })),
      )
      .slice(0, maxFaults);
    const [first] = faults.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`));
    const shown = this.#states.map(({ removed, errors }) => ({
      ...identityOf(removed),
      errors: errors.map(({ path, message: text }) => ({ path, message: text })),
    }));
    throw new Problem('restore_invalid', `Nothing was restored: ${first}${andMoreFaults(this.#found)}`, {
      errors: faults,
      members: { invalid: shown },
    });
  }
}
