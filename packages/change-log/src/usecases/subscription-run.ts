import type { Fence } from '@platform/garbage-collector';
import { Problem, type RandomBytes, type Sealer } from '@platform/kernel';
import {
  openSpec,
  type Resource,
  type SubscriptionSelector,
  sealedMemberIn,
  selectorOf,
  subscriptionSpec,
} from '@platform/resources';
import type { DeliveryState, PauseReason, Phase } from '../model/subscription.ts';
import type { ChangePage } from '../ports/change-log.ts';
import type { StatusWriter } from '../ports/receivers.ts';
import type { SubscriptionStore } from '../ports/subscription-store.ts';
import {
  afterFailure,
  afterSuccess,
  type DeliveryFailure,
  isLasting,
  pausedAfterMs,
} from '../rules/retry.ts';
import { isSelected } from '../rules/select-changes.ts';
import type { ChangePages } from './change-pages.ts';
import { deliverPage } from './deliver-page.ts';
import { type Receiver, type SendDeps, sendEvent } from './send-event.ts';

/** The ports of a run. */
export interface RunDeps extends SendDeps {
  readonly store: SubscriptionStore;
  readonly status: StatusWriter;
  readonly sealer: Sealer;
  readonly random: RandomBytes;
  readonly pages: ChangePages;
  /** The fence of this process while it leads, else null. */
  readonly fence: () => Fence | null;
  readonly stopped: () => boolean;
}

interface SelectingReceiver extends Receiver {
  readonly selector: SubscriptionSelector;
}

/** Resources of one subscription that are delivered at the same time. */
const concurrency = 4;
/** A run ends after that long, so that the other subscriptions have their turn. */
const longestMs = 10_000;
/** The cursor of a subscription that gets nothing is stored that often, so that it does not fall out of the log. */
const idleSaveMs = 30_000;

export const changesExpired =
  'the next changes are no longer kept: some were not delivered; after a change of spec, delivery begins with new changes';

/** Another process leads, the subscription is gone, or the database lost what this process knew: nothing of this run counts any more. */
export class DeposedError extends Error {
  override readonly name = 'DeposedError';
}

/** How far the delivery of one subscription is in the memory of the process that leads. */
export interface DeliveryProgress {
  readonly resource: Resource;
  readonly state: DeliveryState;
  /** Numbers of the entries after the cursor that were sent already, when one before them failed. */
  readonly sent: Set<number>;
  /** When this process last stored the state, in milliseconds; 0 when it has not. */
  readonly savedAt: number;
}

/** One turn of one subscription. */
export class SubscriptionRun {
  readonly #deps: RunDeps;
  readonly #resource: Resource;
  readonly #sent: Set<number>;
  #saved: DeliveryState;
  /** The state after what was delivered so far. */
  state: DeliveryState;
  savedAt: number;

  constructor(deps: RunDeps, { resource, state, sent, savedAt }: DeliveryProgress) {
    this.#deps = deps;
    this.#resource = resource;
    this.#sent = sent;
    this.#saved = state;
    this.state = state;
    this.savedAt = savedAt;
  }

  /** Delivers until the end of the log, a failure, or the end of the turn. @throws DeposedError */
  async run(): Promise<void> {
    const { clock, stopped } = this.#deps;
    const began = clock.now();
    const isOver = () => !isWithin(longestMs, began, clock.now());
    const receiver = this.#receiver();
    if (receiver === null) {
      return await this.#pause('SecretUnreadable', 'no configured encryption key opens spec.secret');
    }
    while (!stopped() && !isOver()) {
      const page = await this.#nextPage();
      if (page === null) return;
      const goesOn = await this.#deliver(page, receiver, isOver);
      if (!goesOn) return;
    }
    await this.#save();
  }

  async #nextPage(): Promise<ChangePage | null> {
    try {
      return await this.#deps.pages.after(this.state.cursor);
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'cursor_expired') throw error;
      this.#deps.pages.clear();
      // A failover may have lost the end of the log, and not the place that is stored: that is read first.
      if (this.savedAt > 0) throw new DeposedError();
      await this.#pause('ChangesExpired', changesExpired);
      return null;
    }
  }

  /** Delivers a page. Whether to go on with the next one. */
  async #deliver(page: ChangePage, receiver: SelectingReceiver, isOver: () => boolean): Promise<boolean> {
    const { clock, fence, stopped } = this.#deps;
    const { uid } = this.#resource;
    const sentBefore = this.#sent.size;
    const result = await deliverPage(page, {
      isSelected: (entry) => isSelected(entry, receiver.selector, uid),
      send: (entry) => sendEvent(this.#deps, receiver, entry),
      // A page for a slow receiver takes longer than a turn.
      stopped: () => stopped() || fence() === null || isOver(),
      sent: this.#sent,
      // A receiver that was away is asked once before it gets more.
      concurrency: this.state.attempts > 0 ? 1 : concurrency,
    });
    const sentSome = this.#sent.size > sentBefore;
    if (result.cursor !== null) this.state = { ...this.state, cursor: result.cursor };
    if (result.complete) this.#sent.clear();
    if (sentSome) this.state = afterSuccess(this.state);
    if (result.failure !== null) {
      const isPaused = await this.#fail(result.failure);
      if (isPaused) return false;
    } else if (sentSome) await this.#report('Active', 'events are delivered');
    const isDue = sentSome || result.failure !== null || !isWithin(idleSaveMs, this.savedAt, clock.now());
    if (isDue) await this.#save();
    return result.complete && page.more;
  }

  /** Counts a failed attempt, and reports it when failures last. Whether it pauses the subscription. */
  async #fail(failed: DeliveryFailure): Promise<boolean> {
    const { clock, random } = this.#deps;
    const failureBefore = this.state.failure;
    const [byte = 0] = random.bytes(1);
    this.state = afterFailure(this.state, failed, clock.now(), byte / 255);
    const { paused, failure } = this.state;
    if (paused !== null) {
      await this.#pause(paused, pauseMessage(paused, failure ?? ''));
      return true;
    }
    if (isLasting(this.state, clock.now())) {
      await this.#report('Retrying', `delivery fails and is retried: ${failure}`, failure !== failureBefore);
    }
    return false;
  }

  /** The receiver in the sealed spec; null when no key opens it. */
  #receiver(): SelectingReceiver | null {
    const member = sealedMemberIn(this.#resource);
    if (member === null) return null;
    try {
      const spec = subscriptionSpec.parse(JSON.parse(openSpec(this.#deps.sealer, this.#resource, member)));
      return { url: spec.url, secret: spec.secret, selector: selectorOf(spec) };
    } catch {
      return null;
    }
  }

  async #pause(reason: PauseReason, message: string): Promise<void> {
    this.state = { ...this.state, paused: reason };
    this.#deps.metrics.paused(reason);
    await this.#report(reason, message);
    await this.#save();
  }

  /** Writes the phase to the status, before the state is stored: after a crash between the two, it is written again. */
  async #report(phase: Phase, message: string, isNew = false): Promise<void> {
    if (this.state.reported === phase && !isNew) return;
    const { status, clock } = this.#deps;
    const fence = this.#deps.fence();
    const since = new Date(this.state.failingSince ?? clock.now()).toISOString();
    const report = { phase, message, generation: this.state.generation, since };
    if (fence === null || !(await status.report(this.#resource.uid, report, fence))) throw new DeposedError();
    this.state = { ...this.state, reported: phase };
  }

  async #save(): Promise<void> {
    if (this.state === this.#saved) return;
    const fence = this.#deps.fence();
    if (fence === null || !(await this.#deps.store.save(this.#resource.uid, this.state, fence))) {
      throw new DeposedError();
    }
    this.#saved = this.state;
    this.savedAt = this.#deps.clock.now();
  }
}

/** False also for a time in the future: the clock was set back since. */
function isWithin(ms: number, since: number, now: number): boolean {
  return now >= since && now - since < ms;
}

function pauseMessage(reason: PauseReason, failure: string): string {
  if (reason === 'Gone') return `${failure}: it wants no more events; change the spec to go on`;
  return `delivery failed for ${pausedAfterMs / 3_600_000} hours, at last: ${failure}; change the spec to go on`;
}
