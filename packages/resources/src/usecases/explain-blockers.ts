import { actorOf } from '../model/caller.ts';
import type { BlockerReport } from '../ports/resource-reader.ts';
import { auditIdentity } from './audit-identity.ts';
import type { ResourcePorts } from './ports.ts';
import { definitionOf, type ItemRequest, notFound } from './request.ts';

/** Blockers in one report, at most (contract 2, "Bodies"). */
const maxBlockers = 1000;

/** Explains what keeps a resource from being collected. Throws `not_found`. */
export async function explainBlockers(
  { reader, audit }: Pick<ResourcePorts, 'reader' | 'audit'>,
  request: ItemRequest,
): Promise<BlockerReport> {
  const report = await reader.blockers(request.ref, maxBlockers, definitionOf(request));
  if (report.outcome === 'missing') throw notFound();
  audit.record({
    message: 'resource.deletion_blockers_listed',
    requestId: request.requestId,
    actor: actorOf(request.caller),
    ...auditIdentity(report.resource),
  });
  return report;
}
