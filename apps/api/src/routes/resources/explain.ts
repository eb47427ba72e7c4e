import {
  deletionProtectionAnnotation,
  type ExplainedCause,
  explainResource,
  type ItemTarget,
  type Relative,
  type Remedy,
  type Resource,
} from '@platform/resources';
import { ref } from '../../endpoint/documentation.ts';
import { renderEntries, renderEntry } from './history.ts';
import { addressing, type ResourceOperation } from './operation.ts';

/** `GET .../explain`: the root causes that keep a tombstone, or what a live resource depends on, what depends on it, and its latest changes. */
export const explain: ResourceOperation<ItemTarget> = {
  form: 'explain',
  method: 'GET',
  verb: 'get',
  comparesGuard: true,
  summary: (kind) => `Explain the state of ${kind}`,
  description: 'Of a resource that is being deleted: what keeps it, over all levels, and who can end that.',
  responses: () => ({
    200: { description: 'The explanation.', schema: ref('Explanation') },
  }),
  problems: [...addressing, 'contention'],
  async run({ ports, caller, requestId }, target) {
    const explanation = await explainResource(ports, { caller, requestId, target });
    const truncated = explanation.truncated ? ',"truncated":true' : '';
    const members =
      explanation.state === 'terminating'
        ? `"causes":${renderCauses(explanation.causes)}`
        : [
            `"owners":${renderRelatives(explanation.owners)}`,
            `"dependents":${renderRelatives(explanation.dependents)}`,
            `"changes":${await renderEntries(explanation.changes, (entry) => renderEntry(entry, target, null))}`,
          ].join(',');
    return { status: 200, body: `{${members}${truncated}}` };
  },
};

/** Bodies of actions contain whole specs. More than this is left out; the next explanation has the rest. */
const maxActionBytes = 8 * 1024 * 1024;

function renderCauses(causes: readonly ExplainedCause[]): string {
  let left = maxActionBytes;
  const items = causes.map(({ kind, resource, path, since, detail, remedy }) => {
    const members = JSON.stringify({ kind, resource, path, since, detail }).slice(1, -1);
    const action = remedy === null ? '' : renderAction(remedy);
    if (action === '' || action.length > left) return `{${members}}`;
    left -= action.length;
    return `{${members},"action":${action}}`;
  });
  return `[${items.join(',')}]`;
}

function renderAction(remedy: Remedy): string {
  const { group, version, plural, uid } = remedy.at;
  const item = `/api/v1/resources/${group}/${version}/${plural}/uid:${uid}`;
  const path = remedy.do === 'removeFinalizer' ? `${item}/finalizers` : item;
  const body =
    remedy.do === 'removeFinalizer'
      ? JSON.stringify({ add: [], remove: [remedy.finalizer] })
      : renderUnprotected(remedy.row, `${group}/${version}`);
  return `{"method":"PUT","path":${JSON.stringify(path)},"body":${body},"who":${JSON.stringify(remedy.by)}}`;
}

/** The resource as a PUT takes it, without the annotation. Its spec stays text, so that numbers keep their digits. */
function renderUnprotected(row: Resource, apiVersion: string): string {
  const stored = JSON.parse(row.metadata) as { annotations?: Record<string, string> };
  const annotations = { ...stored.annotations };
  delete annotations[deletionProtectionAnnotation];
  const { kind, name, revision, labels, finalizers, ownerReferences } = row;
  const metadata = { ...stored, name, revision, labels, annotations, finalizers, ownerReferences };
  const head = JSON.stringify({ apiVersion, kind, metadata }).slice(0, -1);
  return `${head},"spec":${row.spec}}`;
}

function renderRelatives(relatives: readonly Relative[]): string {
  const items = relatives.map(({ relationship, resource, blockOwnerDeletion, deletionTimestamp }) => ({
    relationship,
    ...resource,
    ...(blockOwnerDeletion === null ? {} : { blockOwnerDeletion }),
    deletionTimestamp,
  }));
  return JSON.stringify(items);
}
