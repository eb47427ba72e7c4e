import { hash } from 'node:crypto';
import type { Clock } from '@platform/kernel';
import type { RateLimiter } from '@platform/oauth-proxy';
import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';

/** The settings of the limiter. */
export interface RateLimiterOptions {
  readonly clock: Clock;
  /** Requests of one caller for one name: an extension or an endpoint. */
  readonly perMinute: number;
  /** The limit of one caller for all names together, in multiples of `perMinute`. Needed where callers choose the names. */
  readonly namesAtOnce?: number;
  /** Callers that are kept in memory, at most; 50,000 by default. */
  readonly maxCallers?: number;
}

const windowMs = 60_000;

/**
 * Counts in the memory of one process, so a limit holds for each replica: with n replicas behind a balancer a caller gets
 * at most n times as much. No counter is shared between callers, so no caller can use up the limit of another.
 */
export function createRateLimiter({
  clock,
  perMinute,
  namesAtOnce = Number.POSITIVE_INFINITY,
  maxCallers = 50_000,
}: RateLimiterOptions): RateLimiter {
  const byName = windowCounter(clock, perMinute, maxCallers);
  // Attack: an address that asks for a new name each time, which need not exist, and so never reaches a limit.
  const byCaller = windowCounter(clock, perMinute * namesAtOnce, maxCallers);
  return {
    take({ name, address }) {
      const caller = callerOf(address);
      const seconds = byCaller(caller) || byName(`${caller} ${name}`);
      return seconds === 0 ? { allowed: true } : { allowed: false, retryAfterSeconds: seconds };
    },
  };
}

/**
 * Counts by key in windows of a minute that begin with a key's first request. Returns 0 within the limit, else the seconds until
 * the window is over. Not `RateLimiterMemory` of rate-limiter-flexible, which keeps a timer for each key and any number of keys.
 *
 * Attack: requests from ever new addresses fill the memory. Beyond the bound, the key that was quiet for longest is forgotten. Callers choose
 * names of up to 32 KiB, so only their hashes are kept.
 */
function windowCounter(clock: Clock, limit: number, max: number): (key: string) => number {
  const windows = new LRUCache<string, { count: number; readonly endsAt: number }>({ max });
  return (text) => {
    const key = hash('sha256', text, 'base64url');
    const now = clock.now();
    const known = windows.get(key);
    // A window that ends later than a new one would is from before the clock was set back.
    if (known === undefined || now >= known.endsAt || known.endsAt > now + windowMs) {
      windows.set(key, { count: 1, endsAt: now + windowMs });
      return 0;
    }
    known.count += 1;
    return known.count <= limit ? 0 : Math.ceil((known.endsAt - now) / 1000);
  };
}

/**
 * The key that an address counts as. Attack: a network of IPv6 has 2^64 addresses for one machine, so its first four groups count; an IPv4
 * address in IPv6 notation is the same caller as in its own.
 */
export function callerOf(address: string): string {
  const bare = address.split('%')[0] ?? address;
  if (!ipaddr.isValid(bare)) return address;
  const parsed = ipaddr.process(bare);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  return `${parsed.parts
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')}::/64`;
}
