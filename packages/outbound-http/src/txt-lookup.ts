import { Resolver } from 'node:dns/promises';
import type { TxtLookup } from '@platform/kernel';

/** Answers that say that there is no such record. */
const absent: ReadonlySet<unknown> = new Set(['ENOTFOUND', 'ENODATA']);

/** Settings of the look-up. */
export interface TxtLookupOptions {
  /** `outbound.dns_servers`; those of the machine when there are none. */
  readonly servers: readonly string[];
  /** The longest time for one look-up, in milliseconds. */
  readonly timeoutMs: number;
}

/** TXT records by DNS. The resolver keeps nothing, so a record counts as soon as the server answers it. */
export function createTxtLookup({ servers, timeoutMs }: TxtLookupOptions): TxtLookup {
  // Two tries have to fit; c-ares gives the second one twice the time.
  const resolver = new Resolver({ timeout: Math.max(1, Math.floor(timeoutMs / 3)), tries: 2 });
  if (servers.length > 0) resolver.setServers(servers);
  return async (name) => {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<null>((resolve) => {
      timer = setTimeout(() => resolve(null), timeoutMs);
    });
    const records = resolver.resolveTxt(name).then(
      (found) => found.map((chunks) => chunks.join('')),
      (error: unknown) => (absent.has((error as { code?: unknown }).code) ? [] : null),
    );
    try {
      return await Promise.race([records, late]);
    } finally {
      clearTimeout(timer);
    }
  };
}
