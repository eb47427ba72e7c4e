import { randomUUID } from 'node:crypto';
import type { TestDatabase } from '@platform/development/testing';
import { type Call, jsonOf, type Reply, type Send } from './reply.ts';

/** How a request ended for its client. `lost`: there was no answer, or one that does not know. */
type Outcome = 'written' | 'answered' | 'refused' | 'lost';

const lostAnswer: Reply = { status: 0, headers: new Headers(), text: '{}' };

/**
 * The outcome of each request as its client saw it, by request id. The change log has the request id of every write, so it tells for each
 * request whether it wrote, also when its answer was lost, and that it did not write twice.
 */
export class Ledger {
  readonly #outcomes = new Map<string, Outcome>();
  readonly #deletions = new Set<string>();
  readonly #faults: string[] = [];

  /** Sends, and takes note of how it ended. A failure that no fault of the surroundings excuses is a fault. */
  async send(send: Send, call: Call, wrote: boolean): Promise<Reply> {
    const requestId = randomUUID();
    if (call.method === 'DELETE') this.#deletions.add(requestId);
    const reply = await send({ ...call, requestId }).catch(() => lostAnswer);
    this.#outcomes.set(requestId, this.#outcomeOf(call, reply, wrote));
    return reply;
  }

  /** How often requests ended in each way. */
  get counts(): Readonly<Record<Outcome, number>> {
    const counts = { written: 0, answered: 0, refused: 0, lost: 0 };
    for (const outcome of this.#outcomes.values()) counts[outcome] += 1;
    return counts;
  }

  /** Describes the contradictions between the answers and the change log. */
  async contradictions(sql: TestDatabase['sql']): Promise<readonly string[]> {
    const rows = await sql<{ id: string; operation: string; entry: string }[]>`
      select written[4] as id, written[1] as operation, format('%s of %s at %s', written[1], uid, revision) as entry from changes
      where written[4] = any(${[...this.#outcomes.keys()]}) and not written[1] = any('{cascade,collect,release}')`;
    const entries = new Map<string, string[]>();
    for (const { id, operation, entry } of rows) {
      // The collector writes with the request id of the deletion, also when it adds the finalizer of a cascade.
      if (operation !== 'finalizers' || !this.#deletions.has(id))
        entries.set(id, [...(entries.get(id) ?? []), entry]);
    }
    const faults = [...this.#faults];
    for (const [id, outcome] of this.#outcomes) {
      const found = entries.get(id) ?? [];
      if (found.length > 1) faults.push(`request ${id} (${outcome}) was written twice: ${found.join('; ')}`);
      if (outcome === 'written' && found.length === 0)
        faults.push(`request ${id} was acknowledged and is lost`);
      if (outcome === 'refused' && found.length > 0)
        faults.push(`request ${id} was refused, but: ${found.join('; ')}`);
    }
    return faults;
  }

  #outcomeOf(call: Call, reply: Reply, wrote: boolean): Outcome {
    if (reply.status === 0) return 'lost';
    if (reply.status < 300) return wrote ? 'written' : 'answered';
    if (reply.status < 500) return 'refused';
    const { code } = jsonOf(reply);
    if (reply.status === 503 && code === 'outcome_unknown') return 'lost';
    if (reply.status !== 503 || (code !== 'unavailable' && code !== 'contention')) {
      this.#faults.push(`${call.method} ${call.path}: ${reply.status} ${reply.text}`);
    }
    return 'refused';
  }
}
