import { Problem } from '@platform/kernel';
import { type DeleteOptions, type KubernetesKind, readDeleteOptions } from '@platform/kubernetes';
import { parseUid } from '@platform/resources';
import type { Answer } from '../../endpoint/answer.ts';
import { AnsweredVersion } from './answered-version.ts';
import { runNative } from './native-call.ts';
import {
  flagOf,
  isDryRun,
  type KubernetesDeps,
  type ObjectRequest,
  preconditionOf,
} from './object-request.ts';
import type { ObjectPath } from './path.ts';
import { objectAnswers } from './reads.ts';
import { bodyOf } from './sent-body.ts';

/** `delete`. */
export async function deleteObject(deps: KubernetesDeps, request: ObjectRequest): Promise<Answer> {
  return await deleteNamed(deps, request, await deleteOptionsOf(deps, request));
}

/** Reads how the objects of a request are deleted. */
export async function deleteOptionsOf(deps: KubernetesDeps, request: ObjectRequest): Promise<DeleteOptions> {
  const { query } = request;
  const options = readDeleteOptions(await bodyOf(deps, request), {
    propagationPolicy: query.get('propagationPolicy') || null,
    orphanDependents: flagOf(query, 'orphanDependents') ?? false,
  });
  return { ...options, isDryRun: isDryRun(query) || options.isDryRun };
}

/** Deletes the object that the path names. */
export async function deleteNamed(
  deps: KubernetesDeps,
  { call, kind, path, renderer }: ObjectRequest,
  options: DeleteOptions,
): Promise<Answer> {
  requireMayGo(deps, kind, path);
  const version = new AnsweredVersion(options.isDryRun);
  const answers = objectAnswers(renderer, version);
  return await runNative(deps, call, {
    method: 'DELETE',
    kind,
    namespace: path.namespace,
    name: path.name,
    query: {
      dryRun: options.isDryRun ? 'true' : null,
      uid: options.uid === null ? null : uidOf(options.uid),
    },
    precondition: preconditionOf(options.resourceVersion),
    answers: {
      ...answers,
      deleted(deletion, target) {
        version.begins(deletion.before);
        return deletion.deleted
          ? deletedStatus(path, kind, deletion.resource.uid)
          : answers.deleted(deletion, target);
      },
    },
  });
}

/** Throws `deletion_protected` for the namespace of the default Organization. Kubernetes lets nobody delete its default namespace either. */
function requireMayGo({ cluster }: KubernetesDeps, { form }: KubernetesKind, { name }: ObjectPath): void {
  if (form !== 'namespace' || name !== cluster.lastingNamespace) return;
  throw new Problem(
    'deletion_protected',
    'this namespace may not be deleted, since the platform does not start without its default Organization',
  );
}

/** RFC 9562, section 5.10: a UUID that nothing has. */
const maxUid = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** The uid of a precondition. A text that is no UUID is that of no object, so it conflicts, as in Kubernetes. */
function uidOf(text: string): string {
  return parseUid(text) ?? maxUid;
}

function deletedStatus(path: ObjectPath, kind: KubernetesKind, uid: string): Answer {
  const group = path.group === '' ? {} : { group: path.group };
  const details = { name: path.name, ...group, kind: kind.plural, uid };
  const status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details };
  return { status: 200, body: JSON.stringify(status), contentType: 'application/json' };
}
