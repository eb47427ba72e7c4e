import { lossyNumbers } from './http/faithful.ts';
import { isPlatformError, PlatformError } from './http/platform-error.ts';
import type { Transport } from './http/transport.ts';
import { collectionPath, type ItemKey, itemPath, type KindPath, type Subresource } from './model/paths.ts';
import type {
  ChangedResource,
  Deletion,
  DeletionBlockers,
  NewResource,
  Resource,
  ResourceList,
} from './model/resource.ts';
import { sleep } from './timers.ts';

/** What every operation takes. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
}

/** How a collection is listed. */
export interface ListOptions extends CallOptions {
  /** Items of one page, 1 to 1000. */
  readonly limit?: number;
}

/** What happens to a copy of the resource: changed in place, or answered anew; `false` leaves it as it is. */
export type Change<Spec, Status> = (
  resource: Resource<Spec, Status>,
) => ChangedResource<Spec> | false | undefined | Promise<ChangedResource<Spec> | false | undefined>;

/** The resources of one kind below given ancestors. Every method throws {@link PlatformError}. */
export class Collection<Spec = unknown, Status = unknown> {
  readonly kind: KindPath;
  readonly ancestors: readonly string[];
  readonly #transport: Transport;

  constructor(transport: Transport, kind: KindPath, ancestors: readonly string[] = []) {
    this.#transport = transport;
    this.kind = kind;
    this.ancestors = ancestors;
  }

  /** The same kind below these ancestors, named from the root on. */
  in(...ancestors: readonly string[]): Collection<Spec, Status> {
    return new Collection(this.#transport, this.kind, ancestors);
  }

  /** The path of the collection, of an item or of its subresource, for requests of one's own. */
  path(key?: ItemKey, subresource?: Subresource): string {
    if (key === undefined) return collectionPath(this.kind, this.ancestors);
    return itemPath(this.kind, this.ancestors, key, subresource);
  }

  async get(key: ItemKey, { signal }: CallOptions = {}): Promise<Resource<Spec, Status>> {
    return this.#read(await this.#getText(key, signal));
  }

  /** Every item, ordered by name; pages are fetched as they are needed. */
  async *list(options: ListOptions = {}): AsyncGenerator<Resource<Spec, Status>, void, undefined> {
    for await (const page of this.pages(options)) yield* page.items;
  }

  /** The same, page by page. */
  async *pages({
    limit,
    signal,
  }: ListOptions = {}): AsyncGenerator<ResourceList<Spec, Status>, void, undefined> {
    let next: string | undefined;
    do {
      const query = { limit, continue: next };
      const { text } = await this.#transport.send({ method: 'GET', path: this.path(), query, signal });
      const page = this.#read<ResourceList<Spec, Status>>(text);
      yield page;
      next = page.metadata.continue;
    } while (next !== undefined);
  }

  /** Fails with `already_exists` when the name is taken. */
  async create(resource: NewResource<Spec>, options: CallOptions = {}): Promise<Resource<Spec, Status>> {
    return await this.#write('POST', this.path(), resource, options);
  }

  /** Replaces the item as a whole; `revision_conflict` when it has changed since it was read. */
  async replace(
    resource: ChangedResource<Spec>,
    options: CallOptions & { readonly key?: ItemKey } = {},
  ): Promise<Resource<Spec, Status>> {
    const { status: _, ...body } = resource;
    return await this.#write('PUT', this.path(options.key ?? resource.metadata.name), body, options);
  }

  /**
   * Reads the item, changes it and replaces it; when someone else was faster, again from the reading on, at most `attempts` times.
   * `change` must therefore look at what it is given, and nothing else.
   * Fails with `lossy_number` when writing back would destroy numbers that JavaScript cannot hold: see `json` of `createClient`.
   */
  async update(
    key: ItemKey,
    change: Change<Spec, Status>,
    { attempts = 10, signal }: CallOptions & { readonly attempts?: number } = {},
  ): Promise<Resource<Spec, Status>> {
    for (let attempt = 1; ; attempt += 1) {
      const text = await this.#getText(key, signal);
      const draft = this.#read<Resource<Spec, Status>>(text);
      const changed = await change(draft);
      if (changed === false) return this.#read(text);
      this.#requireFaithful(text);
      try {
        return await this.replace(changed ?? draft, { key, signal });
      } catch (error) {
        if (!isPlatformError(error, 'revision_conflict') || attempt >= attempts) throw error;
        const { timers } = this.#transport;
        await sleep(timers, timers.random() * 25 * attempt, signal);
      }
    }
  }

  /** Marks the item for deletion, with everything below it and that it owns. */
  async delete(key: ItemKey, { signal }: CallOptions = {}): Promise<Deletion<Spec, Status>> {
    const { text } = await this.#transport.send({ method: 'DELETE', path: this.path(key), signal });
    return this.#read(text);
  }

  /** Writes the caller's own status slot; an operator may name another one. */
  async setStatus(
    key: ItemKey,
    status: Status,
    { slot, signal }: CallOptions & { readonly slot?: string | undefined } = {},
  ): Promise<Resource<Spec, Status>> {
    return await this.#write('PUT', this.path(key, 'status'), { status }, { signal, query: { slot } });
  }

  /** Removes a status slot; for operators. */
  async clearStatus(
    key: ItemKey,
    slot: string,
    { signal }: CallOptions = {},
  ): Promise<Resource<Spec, Status>> {
    return await this.#write('PUT', this.path(key, 'status'), { status: null }, { signal, query: { slot } });
  }

  /** Adds and removes finalizers of the item as it is now; both are idempotent. */
  async changeFinalizers(
    key: ItemKey,
    change: { readonly add?: readonly string[]; readonly remove?: readonly string[] },
    options: CallOptions = {},
  ): Promise<Resource<Spec, Status>> {
    return await this.#write('PUT', this.path(key, 'finalizers'), change, options);
  }

  /** What keeps the item from being collected. */
  async blockers(key: ItemKey, { signal }: CallOptions = {}): Promise<DeletionBlockers> {
    const path = this.path(key, 'deletion-blockers');
    return this.#read((await this.#transport.send({ method: 'GET', path, signal })).text);
  }

  async #getText(key: ItemKey, signal: AbortSignal | undefined): Promise<string> {
    return (await this.#transport.send({ method: 'GET', path: this.path(key), signal })).text;
  }

  async #write(
    method: string,
    path: string,
    body: unknown,
    { signal, query }: CallOptions & { readonly query?: Record<string, string | undefined> },
  ): Promise<Resource<Spec, Status>> {
    return this.#read((await this.#transport.send({ method, path, body, query, signal })).text);
  }

  #read<T = Resource<Spec, Status>>(text: string): T {
    return this.#transport.json.parse(text) as T;
  }

  #requireFaithful(text: string): void {
    if (this.#transport.json !== JSON) return;
    const lossy = lossyNumbers(text);
    if (lossy.length === 0) return;
    const detail = `JSON.parse would change ${lossy.slice(0, 3).join(', ')}; give createClient a lossless "json"`;
    throw new PlatformError({ status: 0, code: 'lossy_number', detail });
  }
}
