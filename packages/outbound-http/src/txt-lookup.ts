import { Resolver } from 'node:dns/promises';
import type { TxtLookup } from '@platform/kernel';

/** Error codes that mean that there is no such record. */
const absentCodes: ReadonlySet<unknown> = new Set(['ENOTFOUND', 'ENODATA']);

/** The options of the look-up. */
export interface TxtLookupOptions {
  /** `outbound.dns_servers`; empty means those of the machine. */
  readonly servers: readonly string[];
  /** The timeout of one look-up, in milliseconds. */
  readonly timeoutMs: number;
}

/** Looks up TXT records by DNS. The resolver does not cache, so a new record is visible as soon as the name server returns it. */
export function createTxtLookup({ servers, timeoutMs }: TxtLookupOptions): TxtLookup {
  // Two attempts must fit into the timeout; c-ares doubles the time for the second.
  const resolver = new Resolver({ timeout: Math.max(1, Math.floor(timeoutMs / 3)), tries: 2 });
  if (servers.length > 0) resolver.setServers(servers);
  return async (name) => {
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<null>((resolve) => {
      timer = setTimeout(() => resolve(null), timeoutMs);
    });
    const records = resolver.resolveTxt(name).then(
      (found) => found.map((chunks) => chunks.join('')),
      (error: unknown) => (absentCodes.has((error as { code?: unknown }).code) ? [] : null),
    );
    try {
      return await Promise.race([records, timeout]);
    } finally {
      clearTimeout(timer);
    }
  };
}
