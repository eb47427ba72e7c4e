import type { WholeApi } from './whole-api.ts';

// biome-ignore lint/suspicious/noExplicitAny: the records are validated by the document.
export type AuditItem = Record<string, any>;

/** The audit records of a service, as an operator reads them. */
export function auditOf(api: WholeApi) {
  const audit = (query: object) => api.as('operator', 'get', '/api/v1/audit').query(query);

  /** The records of a filter, once there are some: those without a transaction are stored a moment later. */
  async function recorded(query: object, least = 1): Promise<AuditItem[]> {
    for (let attempt = 0; ; attempt += 1) {
      const { items } = (await audit(query).expect(200)).body;
      if (items.length >= least || attempt > 100) return items;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  /** The records of an export, by the lines of its answer. */
  async function exported(query: Record<string, string>): Promise<readonly string[]> {
    const answer = await fetch(`${api.publicUrl}/api/v1/audit?${new URLSearchParams(query)}`, {
      headers: { Authorization: `Bearer ${api.session('operator')}`, Accept: 'application/x-ndjson' },
    });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/x-ndjson']);
    return (await answer.text()).trim().split('\n');
  }

  return { audit, recorded, exported };
}
