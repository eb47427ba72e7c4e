import { invalid, Problem } from '@platform/kernel';
import {
  appliedBody,
  type KubernetesKind,
  lastApplied,
  patchOfObject,
  patchOfStatus,
  replacementWith,
  requireAppliedDefinition,
  requireNoNewFinalizers,
  type SentObject,
  strategicMerge,
  toSentObject,
  withDefaults,
  withSecretType,
} from '@platform/kubernetes';
import {
  type JsonObject,
  type JsonText,
  type JsonValue,
  type Patch,
  parseDocument,
  parseValue,
  type Resource,
  readPatch,
  renderValue,
} from '@platform/resources';
import type { Answer } from '../../endpoint/answer.ts';
import { yamlToJson } from '../../http/yaml.ts';
import { patchTypes } from '../resources/call.ts';
import { managerQuery } from '../resources/operation.ts';
import { AnsweredVersion } from './answered-version.ts';
import { runNative } from './native-call.ts';
import {
  dryRunOf,
  flagOf,
  isDryRun,
  type KubernetesDeps,
  type ObjectRequest,
  preconditionOf,
  requireNoForce,
  takesStrategicMerge,
} from './object-request.ts';
import { nameFaults, statusCheck } from './object-schemas.ts';
import { objectAnswers } from './reads.ts';
import { bodyOf, completed, configurationOf, limitOfBody, sentObject, utf8Of } from './sent-body.ts';

/** The namespace of an object that is created does not exist. */
export class NamespaceMissing extends Problem {
  constructor(cause: unknown) {
    super('not_found', 'The namespace does not exist.', { cause });
  }
}

/** Throws that the namespace is missing where the resource API finds nothing, and the error otherwise. */
export function throwNamespaceMissing(error: unknown): never {
  throw error instanceof Problem && error.code === 'not_found' ? new NamespaceMissing(error) : error;
}

/** `update`, of the object or of its status. */
export async function replaceObject(deps: KubernetesDeps, request: ObjectRequest): Promise<Answer> {
  const { kind } = request;
  const sent = sentObject(request, await bodyOf(deps, request));
  requireNamespace(sent, request);
  requireName(sent, request);
  const replacement = replacementWith(sent);
  return await change(deps, request, 'PUT', () =>
    translated(request, (object) => {
      // Only when there is an object: for a missing one, this refusal would hide that it is missing.
      if (sent.resourceVersion === null && !allowsUnconditionalUpdate(kind)) {
        throw invalid([{ path: '/metadata/resourceVersion', message: '0: must be specified for an update' }]);
      }
      return replacement(object);
    }),
  );
}

/** Whether an update may leave out which state it is for, as in Kubernetes. A holder of a Lease that lost it must not take it back so. */
function allowsUnconditionalUpdate({ form }: KubernetesKind): boolean {
  return form === 'data' || form === 'namespace';
}

/** `patch`, of the object or of its status. */
export async function patchObject(deps: KubernetesDeps, request: ObjectRequest): Promise<Answer> {
  const { call, kind } = request;
  const types = [...Object.values(patchTypes), 'application/strategic-merge-patch+json'] as const;
  const { mediaType, bytes } = await call.typedBytes(types, limitOfBody(kind, deps.bodyLimitBytes));
  const text = utf8Of(bytes);
  if (mediaType === patchTypes.apply) return await applyObject(deps, request, yamlToJson(text));
  requireNoForce(request.query);
  if (mediaType === 'application/strategic-merge-patch+json' && !takesStrategicMerge(kind)) {
    throw new Problem(
      'unsupported_media_type',
      `the body of the request was in an unknown format - accepted media types include: ${Object.values(patchTypes).join(', ')}`,
    );
  }
  parseDocument(text);
  const patch: Patch =
    mediaType === 'application/strategic-merge-patch+json'
      ? (object) => strategicMerge(object, parseValue(text))
      : readPatch(mediaType === patchTypes.json ? 'json' : 'merge', text);
  return await change(deps, request, 'PATCH', () =>
    translated(request, (object, stored) => {
      const sent = completed(request, patch(object, stored), { before: object });
      requireNamespace(sent, request);
      requireName(sent, request);
      return sent;
    }),
  );
}

type Change = (object: Parameters<Patch>[0], stored: Parameters<Patch>[1]) => SentObject;

function translated({ kind, path }: ObjectRequest, made: Change): Patch {
  return (document, stored) => {
    const toPatch = path.subresource === 'status' ? patchOfStatus : patchOfObject;
    return toPatch(kind, (object) => made(object, stored))(document, stored);
  };
}

async function change(
  deps: KubernetesDeps,
  request: ObjectRequest,
  method: 'PUT' | 'PATCH',
  read: () => Patch,
  force: boolean | null = null,
): Promise<Answer> {
  const { call, kind, path, query, renderer, schemas } = request;
  const isStatus = path.subresource === 'status';
  const fieldManager = managerOf(query);
  const version = new AnsweredVersion(isDryRun(query));
  return await runNative(deps, call, {
    method,
    kind,
    namespace: path.namespace,
    name: path.name,
    ...(isStatus
      ? {
          subresource: 'status',
          checkStatus: statusCheck(deps.ports.schemas, schemas.status),
          managedStatus: { schema: schemas.status?.schema ?? null, fieldManager, force },
        }
      : {}),
    query: { ...dryRunOf(query), fieldManager: isStatus ? null : fieldManager },
    patch: { format: 'translated', read: () => version.of(read()) },
    answers: objectAnswers(renderer, version),
  });
}

/** The manager that a write names. An empty name counts as absent, as in Kubernetes. Throws `validation_failed`. */
export function managerOf(query: URLSearchParams): string | null {
  const fieldManager = query.get('fieldManager') || null;
  if (fieldManager === null || managerQuery.safeParse({ fieldManager }).success) return fieldManager;
  throw invalid([{ path: '/fieldManager', message: 'must have 1 to 128 printable characters' }]);
}

/** Server-side apply. */
async function applyObject(deps: KubernetesDeps, request: ObjectRequest, text: JsonText): Promise<Answer> {
  const { call, kind, path, query, renderer } = request;
  if (managerOf(query) === null) {
    const message = 'is required for apply patch';
    throw invalid([{ path: '/fieldManager', message, reason: 'FieldValueRequired' }]);
  }
  const sent = configurationOf(request, text);
  requireNamespace(sent, request);
  if (path.subresource === 'status') {
    const { uid, resourceVersion, status } = sent;
    if (sent.name !== null) requireName(sent, request);
    const applied = (object: JsonValue) => ({ ...toSentObject(object, kind), uid, resourceVersion, status });
    const force = flagOf(query, 'force') ?? false;
    return await change(deps, request, 'PATCH', () => translated(request, applied), force);
  }
  const managed = sent.metadata.get('managedFields');
  if (managed !== undefined && managed !== 'null') {
    throw new Problem('malformed_body', 'metadata.managedFields must be nil');
  }
  const names = { name: sent.name ?? path.name ?? '', generateName: sent.generateName };
  const faults = await nameFaults(deps.ports.schemas, request.schemas.metadata, names);
  const version = new AnsweredVersion(isDryRun(query));
  const applied = runNative(deps, call, {
    method: 'PATCH',
    kind,
    namespace: path.namespace,
    name: path.name,
    query: {
      ...dryRunOf(query),
      fieldManager: query.get('fieldManager'),
      force: flagOf(query, 'force') === null ? null : String(flagOf(query, 'force')),
    },
    precondition: preconditionOf(sent.resourceVersion),
    patch: {
      format: 'apply',
      document: appliedBody(sent, kind, names.name),
      complete(value, stored) {
        version.begins(stored);
        requireUid(sent, stored);
        if (kind.form === 'definition') requireAppliedDefinition(sent, value, stored);
        if (stored !== null) requireNoNewFinalizers(finalizersOf(value), stored);
        else if (faults.length > 0) throw invalid(faults, 'schema_violation');
        return withDefaults(
          request.schemas.object,
          withSpec(value, (spec) => withSecretType(spec, kind)),
        );
      },
      appliedBefore: {
        read: (stored) => {
          const config = lastApplied(stored, kind);
          // The client wrote the defaults as well.
          return config && renderValue(withDefaults(request.schemas.object, parseValue(config)));
        },
        isByWriter: query.get('fieldManager') === 'kubectl',
      },
    },
    answers: objectAnswers(renderer, version),
  });
  // An apply that may create finds nothing only when the namespace is missing.
  return await (sent.resourceVersion === null ? applied.catch(throwNamespaceMissing) : applied);
}

/** Throws `uid_conflict` for a configuration of another object, which may be gone. */
function requireUid({ uid }: SentObject, stored: Resource | null): void {
  if (uid === null || uid.toLowerCase() === stored?.uid) return;
  throw new Problem(
    'uid_conflict',
    stored === null
      ? `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`
      : `UID in precondition: ${uid}, UID in object meta: ${stored.uid}`,
  );
}

function withSpec(value: JsonValue, change: (spec: JsonObject) => JsonObject): JsonValue {
  const spec = value instanceof Map ? (value.get('spec') ?? new Map()) : undefined;
  return value instanceof Map && spec instanceof Map ? new Map(value).set('spec', change(spec)) : value;
}

function finalizersOf(value: JsonValue): JsonValue | undefined {
  const metadata = value instanceof Map ? value.get('metadata') : undefined;
  return metadata instanceof Map ? metadata.get('finalizers') : undefined;
}

/** Throws `malformed_body` for an object of another namespace than that of the path. */
export function requireNamespace(
  sent: Pick<SentObject, 'namespace'>,
  { path }: Pick<ObjectRequest, 'path'>,
): void {
  if (sent.namespace === null || sent.namespace === path.namespace) return;
  throw new Problem(
    'malformed_body',
    'the namespace of the provided object does not match the namespace sent on the request',
  );
}

/** Throws `malformed_body` for an object of another name than that of the path. */
export function requireName({ name }: Pick<SentObject, 'name'>, { path }: Pick<ObjectRequest, 'path'>): void {
  if (name === path.name) return;
  const message = `the name of the object (${name ?? ''}) does not match the name on the URL (${path.name})`;
  throw new Problem('malformed_body', message);
}
