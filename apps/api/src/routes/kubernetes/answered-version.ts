import type { Patch, Resource } from '@platform/resources';

/**
 * The version in the answer to a write. A dry run stores no new state, so its answer has the version of the stored one, as in Kubernetes: clients
 * that compare both, such as `kubectl diff --server-side` and Argo CD, would show a difference in every object otherwise.
 */
export class AnsweredVersion {
  readonly #isDryRun: boolean;
  #stored: Resource | null = null;

  constructor(isDryRun: boolean) {
    this.#isDryRun = isDryRun;
  }

  /** Notes the object that the write begins with; null for a create. */
  begins(stored: Resource | null): void {
    this.#stored = stored;
  }

  /** The patch, which notes what it begins with. */
  of(patch: Patch): Patch {
    return (document, stored) => {
      this.begins(stored);
      return patch(document, stored);
    };
  }

  /** Whether the answer has a version: an object that a dry run creates has none. */
  isShown(isCreated: boolean): boolean {
    return !(this.#isDryRun && isCreated);
  }

  /** The written object as it is answered. */
  shown(resource: Resource): Resource {
    const stored = this.#isDryRun ? this.#stored : null;
    return stored?.uid === resource.uid ? { ...resource, revision: stored.revision } : resource;
  }
}
