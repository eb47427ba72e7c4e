import type { QueryClient } from '@tanstack/react-query';

/** The queries that show tenants: each is read again after a change of one of them. */
const affected = [['typed'], ['pages'], ['organizations'], ['doctor']] as const;

/** Reads everything that shows tenants again. Drafts of open forms stay. */
export function refreshTenants(queries: QueryClient): void {
  for (const queryKey of affected) void queries.invalidateQueries({ queryKey });
}
