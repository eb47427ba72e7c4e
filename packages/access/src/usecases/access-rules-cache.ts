import { AccessRules } from '../model/access-rules.ts';
import type { AccessSource } from '../ports/access-source.ts';

/**
 * The roles and bindings in memory, with the version at which they were read. It does not check beforehand whether they are current:
 * statements compare the version, and refusals are confirmed, so an allowed request needs no extra round trip (decision 0030).
 */
export class AccessRulesCache {
  readonly #source: AccessSource;
  #known: AccessRules | null = null;
  #loading: Promise<AccessRules> | null = null;
  #asking: Promise<string> | null = null;
  #waiting: Promise<string> | null = null;

  constructor(source: AccessSource) {
    this.#source = source;
  }

  /** The rules as they were last read; they may be stale. */
  async current(): Promise<AccessRules> {
    if (this.#known !== null) return this.#known;
    this.#loading ??= this.#load().finally(() => {
      this.#loading = null;
    });
    return await this.#loading;
  }

  /** Whether a binding of the rules in memory has the resource as its scope. Callers with bindings have had the rules read. */
  hasScope(uid: string): boolean {
    return this.#known?.hasScope(uid) === true;
  }

  /** Whether the rules are still the stored ones, at a moment after this call began. */
  async isCurrent(rules: AccessRules): Promise<boolean> {
    return (await this.#version()) === rules.version;
  }

  /** Drops stale rules, unless they were read again already. */
  forget(rules: AccessRules): void {
    if (this.#known === rules) this.#known = null;
  }

  async #load(): Promise<AccessRules> {
    const rules = new AccessRules(await this.#source.load());
    this.#known = rules;
    return rules;
  }

  /**
   * Callers that wait share the next query, which begins after all of them asked.
   *
   * Attack: somebody without access sends refused requests as fast as possible, to take the connections to the database.
   */
  #version(): Promise<string> {
    if (this.#asking === null) return this.#ask();
    this.#waiting ??= this.#asking.then(
      () => this.#ask(),
      () => this.#ask(),
    );
    return this.#waiting;
  }

  #ask(): Promise<string> {
    this.#waiting = null;
    const asking = this.#source.version().finally(() => {
      if (this.#asking === asking) this.#asking = null;
    });
    this.#asking = asking;
    return asking;
  }
}
