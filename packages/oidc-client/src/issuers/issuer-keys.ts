import type { Clock, Logger, Outbound } from '@platform/kernel';
import type { ExternalKey } from '@platform/tokens';
import { discoverJwksUri } from './discovery.ts';
import { fetchKeys } from './fetch-keys.ts';

/** How long what an issuer said is believed, in milliseconds. */
export const timing = {
  /** Until then keys are used without asking. */
  freshMs: 10 * 60_000,
  /** Until then keys are still used while the issuer cannot be reached. */
  staleMs: 60 * 60_000,
  /** After a failure the issuer is left alone for so long. */
  failureMs: 5_000,
  /** An unknown `kid` makes the keys be fetched at most so often (contract section 3). */
  unknownKidMs: 30_000,
} as const;

/** What looking after one issuer's keys needs. */
export interface IssuerKeysDeps {
  readonly outbound: Outbound;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The keys of one issuer, kept as long as {@link timing} allows. */
export class IssuerKeys {
  readonly #issuer: string;
  readonly #deps: IssuerKeysDeps;
  #keys: ReadonlyMap<string, ExternalKey> = new Map();
  #jwksUri: string | undefined;
  #fetchedAt = Number.NEGATIVE_INFINITY;
  #failedAt = Number.NEGATIVE_INFINITY;
  #unknownKidAt = Number.NEGATIVE_INFINITY;
  #running: Promise<boolean> | undefined;

  constructor(issuer: string, deps: IssuerKeysDeps) {
    this.#issuer = issuer;
    this.#deps = deps;
  }

  /** The key with this `kid`, or undefined when the issuer has none or cannot be asked. */
  async find(kid: string): Promise<ExternalKey | undefined> {
    let asked = false;
    if (this.#age() >= timing.freshMs) {
      this.#jwksUri = undefined;
      asked = await this.#refresh();
    }
    if (this.#age() >= timing.staleMs) return undefined;
    if (!this.#keys.has(kid) && !asked && this.#mayAskForUnknownKid()) {
      await this.#refresh();
    }
    return this.#keys.get(kid);
  }

  #age(): number {
    return this.#deps.clock.now() - this.#fetchedAt;
  }

  /** Attack: a flood of tokens with invented `kid` values makes the service flood the issuer. */
  #mayAskForUnknownKid(): boolean {
    // Who waits for a fetch that runs already costs the issuer nothing.
    if (this.#running !== undefined) return true;
    const now = this.#deps.clock.now();
    if (now - this.#unknownKidAt < timing.unknownKidMs) return false;
    this.#unknownKidAt = now;
    return true;
  }

  /** Fetches the keys, once for all who wait. False when it failed or was left undone after a failure. */
  #refresh(): Promise<boolean> {
    if (this.#running === undefined) {
      if (this.#deps.clock.now() - this.#failedAt < timing.failureMs) return Promise.resolve(false);
      this.#running = this.#fetch().finally(() => {
        this.#running = undefined;
      });
    }
    return this.#running;
  }

  async #fetch(): Promise<boolean> {
    const { outbound, clock, logger } = this.#deps;
    try {
      this.#jwksUri ??= await discoverJwksUri(outbound, this.#issuer);
      const fetched = await fetchKeys(outbound, this.#jwksUri);
      // A key that has not changed stays the same object, so that who has read it need not read it again.
      this.#keys = new Map([...fetched].map(([kid, key]) => [kid, this.#unchanged(key) ?? key]));
      this.#fetchedAt = clock.now();
      return true;
    } catch (error) {
      this.#failedAt = clock.now();
      this.#jwksUri = undefined;
      logger.warn('issuer keys could not be fetched', {
        issuer: this.#issuer,
        reason: (error as { reason?: unknown }).reason ?? 'unusable',
        detail: (error as { message?: unknown }).message,
      });
      return false;
    }
  }

  #unchanged(key: ExternalKey): ExternalKey | undefined {
    const known = this.#keys.get(key.kid);
    return known?.pem === key.pem ? known : undefined;
  }
}
