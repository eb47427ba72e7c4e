import { type Address, labelOf, type Run } from './address.ts';
import { jsonOf, type Reply, type Send } from './reply.ts';

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const neverGiven = '01234567-89ab-7cde-8f01-23456789abcd';

/**
 * One of the two services that a run is played to. It gives uids, discriminators and times of its own, so it remembers
 * which uid stands for which item, and tells its answers in words that both have in common.
 */
export class Side {
  readonly send: Send;
  readonly #run: Run;
  readonly #latest = new Map<string, string>();
  readonly #labels = new Map<string, string>();

  constructor(run: Run, send: Send) {
    this.#run = run;
    this.send = send;
  }

  /** The uid of the item that was created last at the address; one that nobody has when there was none. */
  uid(address: Address): string {
    return this.#latest.get(labelOf(address)) ?? neverGiven;
  }

  /** Takes note of a created item. */
  created(address: Address, reply: Reply): void {
    const { uid } = jsonOf(reply).metadata;
    const label = labelOf(address);
    const before = [...this.#labels.values()].filter((known) => known.startsWith(`${label}#`)).length;
    this.#labels.set(uid, `${label}#${before}`);
    this.#latest.set(label, uid);
  }

  /** The revision that the item has now, or null when it is not there. */
  async revision(path: string): Promise<number | null> {
    const reply = await this.send({ method: 'GET', path, as: 'operator' });
    return reply.status === 200 ? jsonOf(reply).metadata.revision : null;
  }

  /**
   * A text without what each service makes up: uids by label, times, tokens and discriminators by their shape.
   * The revision of a tombstone is left out, for the collector writes it whenever it comes by.
   */
  inCommonWords(text: string): string {
    return text
      .replace(uuid, (found) => this.#labels.get(found) ?? 'a-uid')
      .replace(/"(continue|cursor)":"[^"]*"/g, '"$1":"a-token"')
      .replace(/"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"/g, '"a-time"')
      .replace(/"discriminator":"[a-z0-9][a-z0-9-]{6}[a-z0-9]"/g, '"discriminator":"a-discriminator"')
      .replace(
        /"revision":\d+(?=,"generation":\d+,"discriminator":"a-discriminator","creationTimestamp":"a-time","deletionTimestamp")/g,
        '"revision":"of-a-tombstone"',
      );
  }

  /** The tombstones of the run that are stored now, in an order of their own. */
  async tombstones(): Promise<readonly string[]> {
    const path = '/api/v1/resources/pending-deletion?limit=1000';
    const reply = await this.send({ method: 'GET', path, as: 'operator' });
    const items = jsonOf(reply).items as {
      apiVersion: string;
      metadata: { name: string; uid: string; finalizers: string[] };
    }[];
    return items
      .filter((item) => this.#run.owns(item))
      .map(({ metadata }) => `${this.inCommonWords(metadata.uid)} ${metadata.finalizers.join(' ')}`)
      .sort();
  }
}
