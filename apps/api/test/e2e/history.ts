import { cascadeFinalizer } from '@platform/resources';
import { jsonOf, type Reply } from './reply.ts';

/** A resource as some answer showed it. */
interface Sight {
  readonly uid: string;
  readonly revision: number;
  readonly generation: number;
  readonly discriminator: string;
  readonly creationTimestamp: string;
  readonly deletionTimestamp: string | null;
  readonly finalizers: readonly string[];
  readonly name: string;
  readonly kind: string;
  /** The whole answer, but for what the URL's version decides. */
  readonly text: string;
  readonly began: number;
  readonly ended: number;
  readonly wrote: boolean;
}

/** A row as it is in the database at the end. */
export interface FinalRow {
  readonly uid: string;
  readonly revision: number;
  readonly finalizers: readonly string[];
  readonly tombstoned: boolean;
}

/**
 * The observations of all clients, and whether a service that runs one write after the other could have shown them:
 * the laws that hold whatever the interleaving.
 */
export class History {
  readonly #newMembers: readonly string[];
  readonly #sights: Sight[] = [];
  readonly #faults: string[] = [];

  /** `newMembers`: those of `metadata` that not every API process shows. */
  constructor(newMembers: readonly string[] = []) {
    this.#newMembers = newMembers;
  }

  /** Takes note of an answer that holds one resource. `wrote`: it answers a write that always grows the revision. */
  saw(reply: Reply, times: { readonly began: number; readonly ended: number }, wrote: boolean): void {
    if (reply.status >= 300) return;
    const body = jsonOf(reply);
    const resource = body.resource ?? body;
    const { metadata } = resource;
    if (metadata?.uid === undefined) return;
    for (const member of this.#newMembers) delete metadata[member];
    this.#sights.push({
      ...metadata,
      kind: resource.kind,
      deletionTimestamp: metadata.deletionTimestamp ?? null,
      text: JSON.stringify({ ...resource, apiVersion: null }),
      ...times,
      wrote,
    });
  }

  /**
   * Every broken law, in words. `rows` are those of the database at the end, when nobody writes any more. Where answers were lost, a client
   * may have released a resource without seeing so: `removed` has the finalizers of each at its removal then, from the change log.
   */
  faults(rows: readonly FinalRow[], removed?: ReadonlyMap<string, readonly string[]>): readonly string[] {
    const stored = new Map(rows.map((row) => [row.uid, row]));
    for (const [uid, sights] of this.#byUid()) {
      this.#identityIsFixed(sights);
      this.#revisionsAreWrites(sights);
      this.#timeGoesForward(sights);
      this.#nothingIsBypassed(sights, stored.get(uid) ?? null, removed?.get(uid));
    }
    return this.#faults;
  }

  /** The resources that were seen, and are tombstoned or gone in the end. */
  deleted(rows: readonly FinalRow[]): readonly string[] {
    const live = new Set(rows.filter((row) => !row.tombstoned).map((row) => row.uid));
    return [...this.#byUid().keys()].filter((uid) => !live.has(uid));
  }

  #byUid(): ReadonlyMap<string, readonly Sight[]> {
    const byUid = new Map<string, Sight[]>();
    for (const sight of this.#sights) byUid.set(sight.uid, [...(byUid.get(sight.uid) ?? []), sight]);
    for (const sights of byUid.values()) sights.sort((a, b) => a.revision - b.revision);
    return byUid;
  }

  #identityIsFixed(sights: readonly Sight[]): void {
    const identities = sights.map(({ kind, name, discriminator, creationTimestamp }) =>
      [kind, name, discriminator, creationTimestamp].join(' '),
    );
    if (new Set(identities).size > 1)
      this.#faults.push(`identity changed: ${[...new Set(identities)].join(', ')}`);
  }

  /** Two writes never make the same revision, and one revision never looks two ways. */
  #revisionsAreWrites(sights: readonly Sight[]): void {
    for (const [index, sight] of sights.entries()) {
      const before = sights[index - 1];
      if (before === undefined) continue;
      const told = `${sight.kind} ${sight.name} (${sight.uid}) at revision ${sight.revision}`;
      if (before.revision === sight.revision) {
        if (before.wrote && sight.wrote) this.#faults.push(`two writes made ${told}`);
        if (before.text !== sight.text)
          this.#faults.push(`${told} looks two ways:\n${before.text}\n${sight.text}`);
      }
      if (before.generation > sight.generation) this.#faults.push(`generation fell: ${told}`);
      if (before.deletionTimestamp !== null && before.deletionTimestamp !== sight.deletionTimestamp) {
        this.#faults.push(`a tombstone changed: ${told}`);
      }
    }
  }

  /** A request that begins after an answer never shows an older revision than that answer. */
  #timeGoesForward(sights: readonly Sight[]): void {
    for (const late of sights) {
      const newer = sights.find((early) => early.ended < late.began && early.revision > late.revision);
      if (newer !== undefined) {
        this.#faults.push(
          `${late.kind} ${late.name} (${late.uid}) went from ${newer.revision} to ${late.revision}`,
        );
      }
    }
  }

  /** The last that was seen is what is stored, but for what the collector does; what is gone was held by nothing. */
  #nothingIsBypassed(
    sights: readonly Sight[],
    row: FinalRow | null,
    atRemoval: readonly string[] | undefined,
  ): void {
    const last = sights.at(-1);
    if (last === undefined) return;
    const told = `${last.kind} ${last.name} (${last.uid}), last seen at revision ${last.revision}`;
    const isOfClient = (finalizer: string) => finalizer !== cascadeFinalizer;
    if (row === null) {
      const held = (atRemoval ?? last.finalizers).filter(isOfClient);
      if (held.length > 0) this.#faults.push(`${told} went although ${held.join(', ')} held it`);
      return;
    }
    const held = last.finalizers.filter(isOfClient);
    const stored = row.finalizers.filter(isOfClient);
    if (row.revision < last.revision) this.#faults.push(`${told} is stored at revision ${row.revision}`);
    if (stored.join(' ') !== held.join(' ')) this.#faults.push(`${told} is stored with ${stored.join(', ')}`);
  }
}
