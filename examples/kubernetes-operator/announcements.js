import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CustomObjectsApi, PatchStrategy, setHeaderOptions } from '@kubernetes/client-node';
import { endingWithin } from './deadline.js';

const kind = { group: 'operator.example.dev', version: 'v1', plural: 'announcements' };
const requestMs = 10_000;
const finalizer = 'operator.example.dev/published';

/** Publishes each Announcement as a file in a directory, and withdraws the file before the object is gone. */
export class Announcements {
  #objects;
  #namespace;
  #directory;
  #signal;

  /** After the signal nothing is written any more: another process may lead. */
  constructor(config, { namespace, directory, signal }) {
    this.#objects = config.makeApiClient(CustomObjectsApi);
    this.#namespace = namespace;
    this.#directory = directory;
    this.#signal = signal;
  }

  /** The kind, for a controller. */
  get source() {
    const namespace = this.#namespace;
    return {
      path: `/apis/${kind.group}/${kind.version}/namespaces/${encodeURIComponent(namespace)}/${kind.plural}`,
      list: () => this.#objects.listNamespacedCustomObject({ ...kind, namespace }, this.#options()),
      reconcile: (object) => this.#reconcile(object),
    };
  }

  #options() {
    return endingWithin(requestMs, this.#signal);
  }

  async #reconcile(object) {
    const { metadata, spec } = object;
    const file = join(this.#directory, `${metadata.name}.txt`);
    const finalizers = metadata.finalizers ?? [];
    if (metadata.deletionTimestamp !== undefined) {
      if (!finalizers.includes(finalizer)) return;
      await rm(file, { force: true });
      await this.#replace(
        object,
        finalizers.filter((one) => one !== finalizer),
      );
      return;
    }
    // The finalizer comes before the file: an object that has one is never gone while the file is there.
    if (!finalizers.includes(finalizer)) return await this.#replace(object, [...finalizers, finalizer]);
    if (object.status?.observedGeneration === metadata.generation) return;
    await mkdir(this.#directory, { recursive: true });
    await writeFile(file, `To ${spec.audience}: ${spec.text}\n`);
    await this.#writeStatus(object, file);
  }

  /** The version in the metadata makes it fail with 409 when the object has changed since. */
  async #replace(object, finalizers) {
    const { name, namespace } = object.metadata;
    const body = { ...object, metadata: { ...object.metadata, finalizers } };
    await this.#objects.replaceNamespacedCustomObject({ ...kind, namespace, name, body }, this.#options());
  }

  async #writeStatus({ metadata, status }, file) {
    const { name, namespace, generation } = metadata;
    const before = status?.conditions?.find(({ type }) => type === 'Published');
    const condition = {
      ...{ type: 'Published', status: 'True', reason: 'Written', observedGeneration: generation },
      lastTransitionTime: before?.lastTransitionTime ?? new Date().toISOString(),
    };
    const body = { status: { file, observedGeneration: generation, conditions: [condition] } };
    await this.#objects.patchNamespacedCustomObjectStatus(
      { ...kind, namespace, name, body },
      setHeaderOptions('Content-Type', PatchStrategy.MergePatch, this.#options()),
    );
  }
}
