import { setTimeout as sleep } from 'node:timers/promises';
import { Problem } from '@platform/kernel';
import type { ResourceVersion } from '@platform/kubernetes';
import type { KubernetesDeps } from './object-request.ts';

/** The log orders a new entry within a tenth of a second; a stalled one must not hold requests for long. */
const attempts = 40;
const betweenMs = 50;

const expired = () =>
  new Problem('cursor_expired', 'too old resource version: the log of changes no longer has it');

/** The point of the change log that a version names. Throws `cursor_expired` when the log no longer has it, or never had. */
export async function cursorOf(
  deps: Pick<KubernetesDeps, 'ports'>,
  version: ResourceVersion,
): Promise<string> {
  if (version.of === 'foreign') throw expired();
  return version.of === 'list' ? version.cursor : await cursorOfObject(deps, version);
}

/** The refusal of a version that has the form of this service and does not exist: Kubernetes answers an old one so. */
export function expiredWhenForeign(error: unknown): unknown {
  const isForeign = error instanceof Problem && error.errors?.[0]?.path === 'cursor';
  return isForeign ? expired() : error;
}

/** The point of the change log after the entry that made a state. Throws `cursor_expired` when the log no longer has it. */
async function cursorOfObject(
  { ports }: Pick<KubernetesDeps, 'ports'>,
  { uid, revision, removed }: Extract<ResourceVersion, { of: 'object' }>,
): Promise<string> {
  const before = { revision: revision + 1, seq: 0 };
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const entries = await ports.history.entries(uid, { limit: 2, before, scopes: null });
    const entry = entries.find((one) => one.resource.revision === revision && one.removed === removed);
    if (entry === undefined) break;
    if (entry.cursor !== null) return entry.cursor;
    await sleep(betweenMs);
  }
  throw expired();
}
