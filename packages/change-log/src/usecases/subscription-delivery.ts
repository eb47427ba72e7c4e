import type { Fence } from '@platform/garbage-collector';
import { backoff, explainError, type Logger, OutageLog, StorageError } from '@platform/kernel';
import type { Resource } from '@platform/resources';
import {
  type DeliveryState,
  initialState,
  type Phase,
  type StoredSubscription,
} from '../model/subscription.ts';
import type { ChangeLog } from '../ports/change-log.ts';
import { isDue } from '../rules/retry.ts';
import { ChangePages } from './change-pages.ts';
import {
  changesExpired,
  type DeliveryProgress,
  DeposedError,
  type RunDeps,
  SubscriptionRun,
} from './subscription-run.ts';

/** The ports of the delivery. */
export interface DeliveryDeps extends Omit<RunDeps, 'pages' | 'stopped'> {
  readonly log: Pick<ChangeLog, 'head' | 'parse' | 'read'>;
  readonly logger: Logger;
}

/** The most subscriptions; those after them by name get nothing, which a log line says. */
const maxSubscriptions = 1_000;
/** Subscriptions that deliver at the same time. The others wait for a turn, which begins when one of those ends. */
const maxRunning = 32;
/** Between two looks at the log while there are subscriptions, and at the subscriptions while there are none. */
const busyMs = 500;
const idleMs = 2_000;
/** Between two log lines of one kind. */
const logMs = 60_000;
const phrases = {
  began: 'subscriptions: delivery could not go on; trying again',
  ended: 'subscriptions: delivery goes on',
};
/** Pauses after runs that failed here and not at the receiver: each of them may send the same events again. */
const pauses = { firstMs: 1_000, longestMs: 60_000 };

interface Known extends DeliveryProgress {
  /** When its last turn began, in milliseconds; 0 before the first one. */
  ranAt: number;
}

/**
 * Delivers changes to the receivers of all subscriptions while this process leads. The caller calls `step` again after the time that it
 * returned. A step begins deliveries and does not wait for them, so a slow receiver holds up nobody else. A step never rejects.
 */
export class SubscriptionDelivery {
  readonly #deps: DeliveryDeps;
  readonly #pages: ChangePages;
  readonly #known = new Map<string, Known>();
  readonly #running = new Map<string, Promise<void>>();
  /** Those that have a turn in this step and have not begun, the one whose last turn is the longest ago first. */
  #due: Known[] = [];
  /** The generations of the subscriptions by uid, as they were last read. A run of another one ends. */
  #generations: ReadonlyMap<string, number> = new Map();
  /** The runs in a row that failed here, by uid. */
  readonly #failed = new Map<string, { readonly runs: number; readonly at: number }>();
  readonly #loggedAt = new Map<string, number>();
  #stopping = false;
  /** The token of the fence under which the states in memory were read. */
  #term: number | null = null;
  readonly #outage: OutageLog;

  constructor(deps: DeliveryDeps) {
    this.#deps = deps;
    this.#outage = new OutageLog(deps.logger, phrases, deps.clock);
    this.#pages = new ChangePages(deps.log);
  }

  /** Begins what is due. Returns in how many milliseconds the next step is due. */
  async step(): Promise<number> {
    const fence = this.#deps.fence();
    if (this.#stopping || fence === null) {
      if (this.#running.size === 0) this.#forget();
      return busyMs;
    }
    if (fence.token !== this.#term) {
      this.#term = fence.token;
      this.#forget();
    }
    // None begins while the states are brought up to date.
    this.#due = [];
    try {
      const stored = await this.#deps.store.list(maxSubscriptions + 1);
      if (stored.length > maxSubscriptions) {
        const message = 'subscriptions: too many; the last ones by name get nothing';
        this.#logOnce(message, { maxSubscriptions });
      }
      await this.#updateKnown(stored.slice(0, maxSubscriptions));
      await this.#pages.refresh();
      this.#due = this.#findDue();
      this.#begin();
      this.#measure();
      this.#outage.end();
    } catch (error) {
      if (!(error instanceof DeposedError) && !this.#outage.note(error))
        this.#logOnce(phrases.began, { error });
    }
    return this.#known.size > 0 ? busyMs : idleMs;
  }

  /** Waits for what runs. */
  async settle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running.values());
  }

  /** Begins nothing any more, and waits until what is under way is done and stored. */
  async stop(): Promise<void> {
    this.#stopping = true;
    await this.settle();
    this.#forget();
  }

  /** Brings the states in memory up to date with the subscriptions that are stored, except those that are running. */
  async #updateKnown(stored: readonly StoredSubscription[]): Promise<void> {
    this.#generations = new Map(stored.map(({ resource }) => [resource.uid, resource.generation]));
    for (const known of [this.#known, this.#failed])
      for (const uid of known.keys()) if (!this.#generations.has(uid)) known.delete(uid);
    for (const { resource, state } of stored) {
      if (this.#running.has(resource.uid)) continue;
      const known = this.#known.get(resource.uid);
      const current = known?.state ?? state;
      const next = await this.#stateFor(resource, current);
      if (next === null) continue;
      const savedAt = next === current ? (known?.savedAt ?? 0) : this.#deps.clock.now();
      const sent = known?.state.cursor === next.cursor ? known.sent : new Set<number>();
      this.#known.set(resource.uid, { resource, state: next, sent, savedAt, ranAt: known?.ranAt ?? 0 });
    }
  }

  /**
   * The state to go on with: a new subscription starts at its creation, and a change of the spec ends a pause. Null for one whose creation
   * no tick of the log shows yet.
   */
  async #stateFor(resource: Resource, state: DeliveryState | null): Promise<DeliveryState | null> {
    if (state !== null && state.generation >= resource.generation) return state;
    const place = await this.#placeOf(resource, state);
    if (place?.cursor === null) return null;
    const cursor = place?.cursor ?? (await this.#deps.log.head()).text;
    const next = stateOfGeneration(resource, cursor, place === null && state === null);
    await this.#beginGeneration(resource, next, state?.reported ?? 'Active');
    return next;
  }

  /** The place in the log to go on from; null when the log does not have it any more. */
  async #placeOf({ uid }: Resource, state: DeliveryState | null) {
    if (state === null) return await this.#deps.store.createdAt(uid);
    return state.paused === 'ChangesExpired' ? null : { cursor: state.cursor };
  }

  /** Reports the first state of a generation if its phase is another one, and stores it. */
  async #beginGeneration({ uid, generation }: Resource, next: DeliveryState, reported: Phase): Promise<void> {
    const { store, status, clock, metrics } = this.#deps;
    const fence = this.#deps.fence();
    if (fence === null) throw new DeposedError();
    const { reported: phase, paused } = next;
    if (reported !== phase) {
      const since = new Date(clock.now()).toISOString();
      const report = { phase, message: beginningMessage(phase), generation, since };
      if (!(await status.report(uid, report, fence))) throw new DeposedError();
    }
    if (!(await store.save(uid, next, fence))) throw new DeposedError();
    if (paused !== null) metrics.paused(paused);
  }

  #findDue(): Known[] {
    const now = this.#deps.clock.now();
    return [...this.#known.values()]
      .filter(
        ({ resource: { uid }, state }) =>
          !this.#running.has(uid) && !this.#isHeld(uid, now) && isActive(state) && isDue(state, now),
      )
      .sort((a, b) => a.ranAt - b.ranAt);
  }

  /** Begins as many as may run at the same time. */
  #begin(): void {
    while (this.#running.size < maxRunning && !this.#stopping) {
      const known = this.#due.shift();
      if (known === undefined) return;
      const { uid } = known.resource;
      // It was removed, or another process leads.
      if (this.#known.get(uid) !== known) continue;
      known.ranAt = this.#deps.clock.now();
      const run = this.#run(known).finally(() => {
        this.#running.delete(uid);
        this.#begin();
      });
      this.#running.set(uid, run);
    }
  }

  /** Whether a subscription waits after failed runs. One whose failure is in the future waits for nothing: the clock was set back. */
  #isHeld(uid: string, now: number): boolean {
    const failed = this.#failed.get(uid);
    if (failed === undefined) return false;
    return now >= failed.at && now - failed.at < backoff(failed.runs - 1, pauses);
  }

  async #run(known: Known): Promise<void> {
    const { resource } = known;
    const { uid, generation } = resource;
    const stopped = () => this.#stopping || this.#generations.get(uid) !== generation;
    const deps = { ...this.#deps, pages: this.#pages, stopped, fence: this.#fenceOfTerm() };
    const run = new SubscriptionRun(deps, known);
    try {
      await run.run();
      this.#failed.delete(uid);
      const { state, savedAt } = run;
      if (this.#known.has(uid)) this.#known.set(uid, { ...known, state, savedAt });
    } catch (error) {
      // The stored state says what counts.
      this.#known.delete(uid);
      if (error instanceof DeposedError) return;
      const runs = (this.#failed.get(uid)?.runs ?? 0) + 1;
      this.#failed.set(uid, { runs, at: this.#deps.clock.now() });
      const [message, subscription] = ['subscriptions: a run failed and is tried again', resource.name];
      if (error instanceof StorageError)
        this.#deps.logger.warn(message, { subscription, reason: explainError(error) });
      else this.#deps.logger.error(message, { subscription, error });
    }
  }

  /** The fence while this process leads without a break from now on: in between, another leader may have delivered more. */
  #fenceOfTerm(): () => Fence | null {
    const { fence } = this.#deps;
    const token = fence()?.token;
    return () => {
      const now = fence();
      return now?.token === token ? now : null;
    };
  }

  #logOnce(message: string, details: object): void {
    const now = this.#deps.clock.now();
    if (Math.abs(now - (this.#loggedAt.get(message) ?? Number.NEGATIVE_INFINITY)) < logMs) return;
    this.#loggedAt.set(message, now);
    this.#deps.logger.error(message, { ...details });
  }

  #measure(): void {
    const counts = { active: 0, failing: 0, paused: 0, suspended: 0 };
    const now = this.#deps.clock.now();
    let longest = 0;
    for (const { state } of this.#known.values()) {
      const failing = state.failingSince !== null && state.paused === null;
      if (failing) longest = Math.max(longest, (now - (state.failingSince ?? now)) / 1_000);
      if (state.paused !== null) counts.paused += 1;
      else if (state.reported === 'Suspended') counts.suspended += 1;
      else counts[failing ? 'failing' : 'active'] += 1;
    }
    this.#deps.metrics.subscriptions(counts);
    this.#deps.metrics.failingFor(longest);
  }

  /** Forgets every state in memory: another leader stores states that this process does not see. */
  #forget(): void {
    this.#known.clear();
    this.#failed.clear();
    this.#pages.clear();
    this.#measure();
  }
}

/** The first state for a generation. A subscription whose first changes are lost is paused, and not begun later in silence. */
function stateOfGeneration(resource: Resource, cursor: string, isLost: boolean): DeliveryState {
  const { spec, generation } = resource;
  if (isLost) return { ...initialState(cursor, generation, 'ChangesExpired'), paused: 'ChangesExpired' };
  return initialState(cursor, generation, JSON.parse(spec).suspend === true ? 'Suspended' : 'Active');
}

function beginningMessage(phase: Phase): string {
  if (phase === 'ChangesExpired') return changesExpired;
  return phase === 'Suspended' ? 'spec.suspend is true' : 'delivery goes on after a change of the spec';
}

function isActive({ paused, reported }: DeliveryState): boolean {
  return paused === null && reported !== 'Suspended';
}
