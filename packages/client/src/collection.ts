import { requireLossless } from './http/lossy-numbers.ts';
import { isPlatformError } from './http/platform-error.ts';
import type { ApiResponse, Transport } from './http/transport.ts';
import { collectionPath, type ItemKey, itemPath, type KindPath, type Subresource } from './model/paths.ts';
import type {
  ChangedResource,
  DeleteResult,
  DeletionBlockers,
  NewResource,
  RemovedResource,
  Resource,
  ResourceList,
  RestoredResource,
} from './model/resource.ts';
import type { WatchEvent } from './model/watch-event.ts';
import type {
  ApplyOptions,
  CallOptions,
  Change,
  ListOptions,
  PatchOptions,
  RestoreOptions,
  WatchOptions,
  WriteOptions,
} from './options.ts';
import { sleep } from './timers.ts';
import { defaultSilenceMs, eventsOf } from './watch/events-of.ts';

interface Page<Item> {
  readonly metadata: { readonly continue?: string };
  readonly items: readonly Item[];
}

/** The resources of one kind below the given ancestors. Every method throws `PlatformError`. */
export class Collection<Spec = unknown, Status = unknown> {
  readonly kind: KindPath;
  readonly ancestors: readonly string[];
  readonly #transport: Transport;

  constructor(transport: Transport, kind: KindPath, ancestors: readonly string[] = []) {
    this.#transport = transport;
    this.kind = kind;
    this.ancestors = ancestors;
  }

  /** The resources of this kind below these ancestors, root first. */
  in(...ancestors: readonly string[]): Collection<Spec, Status> {
    return new Collection(this.#transport, this.kind, ancestors);
  }

  /** The path of the collection, of an item or of a subresource, to use with `client.send`. */
  path(key?: ItemKey, subresource?: Subresource): string {
    if (key === undefined) return collectionPath(this.kind, this.ancestors);
    return itemPath(this.kind, this.ancestors, key, subresource);
  }

  async get(key: ItemKey, { signal }: CallOptions = {}): Promise<Resource<Spec, Status>> {
    return this.#transport.read(await this.#get(key, signal));
  }

  /** All items, ordered by name. Pages are fetched as needed. */
  async *list(options: ListOptions = {}): AsyncGenerator<Resource<Spec, Status>, void, undefined> {
    for await (const page of this.pages(options)) yield* page.items;
  }

  /** The pages of all items, ordered by name, each fetched when it is needed. */
  async *pages({
    limit,
    labelSelector,
    fieldSelector,
    signal,
  }: ListOptions = {}): AsyncGenerator<ResourceList<Spec, Status>, void, undefined> {
    yield* this.#pages<ResourceList<Spec, Status>>({ limit, labelSelector, fieldSelector }, signal);
  }

  /**
   * The events of one stream (docs/watch.md), until the server or `signal` ends it. Without a cursor it begins with an `ADDED` event for each
   * resource and a bookmark with `initial: true`. It fails with the problem of an `ERROR` event. `resumeWatch` goes on after interruptions.
   */
  async *watch(options: WatchOptions = {}): AsyncGenerator<WatchEvent<Spec, Status>, void, undefined> {
    const { key, signal, silenceMs = defaultSilenceMs } = options;
    const { labelSelector, fieldSelector, cursor, timeoutSeconds } = options;
    const request = {
      method: 'GET',
      path: this.path(key),
      query: { watch: 'true', labelSelector, fieldSelector, cursor, timeoutSeconds },
      accept: 'application/x-ndjson',
      signal,
    };
    yield* eventsOf<Spec, Status>(this.#transport, request, silenceMs);
  }

  /** Fails with `already_exists` when the name is in use. It has an idempotency key, so it is repeated safely after a lost answer. */
  async create(resource: NewResource<Spec>, options: CallOptions = {}): Promise<Resource<Spec, Status>> {
    return await this.#write('POST', this.path(), resource, {
      ...options,
      idempotencyKey: crypto.randomUUID(),
    });
  }

  /** Replaces the whole item. Fails with `revision_conflict` when it has changed since it was read. */
  async replace(
    resource: ChangedResource<Spec>,
    options: CallOptions & { readonly key?: ItemKey } = {},
  ): Promise<Resource<Spec, Status>> {
    const { status: _, ...body } = resource;
    return await this.#write('PUT', this.path(options.key ?? resource.metadata.name), body, options);
  }

  /**
   * Reads the item, changes it and replaces it. On a conflict it starts again with a fresh read, at most `attempts` times, so
   * `change` must depend on its argument only. Fails with `lossy_number` when writing back would destroy numbers that JavaScript
   * cannot represent (see `json` of `createClient`).
   */
  async update(
    key: ItemKey,
    change: Change<Spec, Status>,
    { attempts = 10, signal }: CallOptions & { readonly attempts?: number } = {},
  ): Promise<Resource<Spec, Status>> {
    for (let attempt = 1; ; attempt += 1) {
      const response = await this.#get(key, signal);
      const draft = this.#transport.read<Resource<Spec, Status>>(response);
      const changed = await change(draft);
      if (changed === false) return this.#transport.read(response);
      requireLossless(this.#transport.json, response.text);
      try {
        return await this.replace(changed ?? draft, { key, signal });
      } catch (error) {
        if (!isPlatformError(error, 'revision_conflict') || attempt >= attempts) throw error;
        const { timers } = this.#transport;
        await sleep(timers, timers.random() * 25 * attempt, signal);
      }
    }
  }

  /**
   * Changes parts of the latest revision: an object is a JSON Merge Patch (RFC 7396), an array a JSON Patch (RFC 6902). Fails with
   * `patch_failed` when a path does not exist or a `test` fails.
   */
  async patch(
    key: ItemKey,
    patch: object,
    { signal, dryRun, subresource }: PatchOptions = {},
  ): Promise<Resource<Spec, Status>> {
    const response = await this.#transport.send({
      method: 'PATCH',
      path: this.path(key, subresource),
      contentType: Array.isArray(patch) ? 'application/json-patch+json' : 'application/merge-patch+json',
      query: { dryRun: dryRun === true ? 'true' : undefined },
      body: patch,
      signal,
    });
    return this.#transport.read(response);
  }

  /**
   * Applies a configuration on the server: creates the item, or merges the configuration into it. Fails with `apply_conflict` when
   * it changes fields of other managers, unless `force` is set.
   */
  async apply(resource: NewResource<Spec>, options: ApplyOptions): Promise<Resource<Spec, Status>> {
    const { fieldManager, force, dryRun, signal } = options;
    const response = await this.#transport.send({
      method: 'PATCH',
      path: this.path(resource.metadata.name),
      contentType: 'application/apply-patch+yaml',
      query: {
        fieldManager,
        force: force === true ? 'true' : undefined,
        dryRun: dryRun === true ? 'true' : undefined,
      },
      body: resource,
      signal,
      // The second time it changes nothing.
      repeatable: true,
    });
    return this.#transport.read(response);
  }

  /**
   * Deletes the item, everything below it and everything that it owns. With the hash of a deletion plan it deletes exactly the resources of
   * the plan, or fails with `plan_changed`.
   */
  async delete(
    key: ItemKey,
    { plan, signal }: CallOptions & { readonly plan?: string | undefined } = {},
  ): Promise<DeleteResult<Spec, Status>> {
    const response = await this.#transport.send({
      method: 'DELETE',
      path: this.path(key),
      query: { plan },
      signal,
    });
    return this.#transport.read(response);
  }

  /** The resources that were removed from the collection, newest first, as far as the change log reaches back. */
  async *removed({
    limit,
    signal,
  }: Pick<ListOptions, 'limit' | 'signal'> = {}): AsyncGenerator<
    RemovedResource<Spec, Status>,
    void,
    undefined
  > {
    const query = { removed: 'true', limit };
    const pages = this.#pages<Page<RemovedResource<Spec, Status>>>(query, signal);
    for await (const page of pages) yield* page.items;
  }

  /**
   * Creates a removed resource again, with everything that its deletion removed with it; the requested one is first. Fails with
   * `not_removed`, `restore_conflict` or `restore_invalid`. It has an idempotency key, so it is repeated safely after a lost answer.
   */
  async restore(
    uid: string,
    { dependents, name, dryRun, signal }: RestoreOptions = {},
  ): Promise<readonly RestoredResource<Spec, Status>[]> {
    const response = await this.#transport.send({
      method: 'POST',
      path: this.path({ uid }, 'restore'),
      body: { dependents, name, dryRun },
      signal,
      idempotencyKey: crypto.randomUUID(),
    });
    return this.#transport.read<{ readonly restored: readonly RestoredResource<Spec, Status>[] }>(response)
      .restored;
  }

  /** Writes the caller's own status slot. Operators may name another slot. */
  async setStatus(
    key: ItemKey,
    status: Status,
    { slot, signal }: CallOptions & { readonly slot?: string | undefined } = {},
  ): Promise<Resource<Spec, Status>> {
    const options = { signal, query: { slot }, repeatable: true };
    return await this.#write('PUT', this.path(key, 'status'), { status }, options);
  }

  /** Removes a status slot. Only for operators. */
  async clearStatus(
    key: ItemKey,
    slot: string,
    { signal }: CallOptions = {},
  ): Promise<Resource<Spec, Status>> {
    const options = { signal, query: { slot }, repeatable: true };
    return await this.#write('PUT', this.path(key, 'status'), { status: null }, options);
  }

  /** Adds and removes finalizers. Idempotent, and independent of the item's revision. */
  async changeFinalizers(
    key: ItemKey,
    change: { readonly add?: readonly string[]; readonly remove?: readonly string[] },
    options: CallOptions = {},
  ): Promise<Resource<Spec, Status>> {
    return await this.#write('PUT', this.path(key, 'finalizers'), change, { ...options, repeatable: true });
  }

  /** The resources that block the removal of the item. */
  async blockers(key: ItemKey, { signal }: CallOptions = {}): Promise<DeletionBlockers> {
    const path = this.path(key, 'deletion-blockers');
    return this.#transport.read(await this.#transport.send({ method: 'GET', path, signal }));
  }

  /** The pages of a list, fetched as they are needed. */
  async *#pages<List extends Page<unknown>>(
    query: Readonly<Record<string, string | number | undefined>>,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<List, void, undefined> {
    let next: string | undefined;
    do {
      const request = { method: 'GET', path: this.path(), query: { ...query, continue: next }, signal };
      const response = await this.#transport.send(request);
      const page = this.#transport.read<List>(response);
      yield page;
      next = page.metadata.continue;
    } while (next !== undefined);
  }

  async #get(key: ItemKey, signal: AbortSignal | undefined): Promise<ApiResponse> {
    return await this.#transport.send({ method: 'GET', path: this.path(key), signal });
  }

  async #write(
    method: string,
    path: string,
    body: unknown,
    { signal, query, repeatable, idempotencyKey }: WriteOptions,
  ): Promise<Resource<Spec, Status>> {
    const response = await this.#transport.send({
      method,
      path,
      body,
      query,
      signal,
      ...(repeatable === undefined ? {} : { repeatable }),
      ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
    });
    return this.#transport.read(response);
  }
}
