import { Problem } from '@platform/kernel';
import {
  patchOfObject,
  readScale,
  renderScale,
  type ScalePaths,
  type SentScale,
  scaledBy,
  scaleInForm,
  scaleOf,
  strategicMerge,
} from '@platform/kubernetes';
import {
  type JsonText,
  type JsonValue,
  type Patch,
  parseDocument,
  parseValue,
  type Resource,
  readPatch,
} from '@platform/resources';
import type { Answer } from '../../endpoint/answer.ts';
import { yamlToJson } from '../../http/yaml.ts';
import { patchTypes } from '../resources/call.ts';
import { AnsweredVersion } from './answered-version.ts';
import { type NativeRequest, runNative } from './native-call.ts';
import {
  dryRunOf,
  isDryRun,
  type KubernetesDeps,
  type ObjectRequest,
  requireNoForce,
  verbOf,
} from './object-request.ts';
import { objectAnswers } from './reads.ts';
import { representationOf } from './representation.ts';
import { builtInBody, completed, utf8Of } from './sent-body.ts';
import { managerOf, requireName, requireNamespace } from './writes.ts';

/** The Scale that a request makes of the present one. */
type ScaleChange = (scale: JsonValue, stored: Resource) => JsonValue;

const strategicType = 'application/strategic-merge-patch+json';

/** The subresource `scale`: a view of the replicas of an object. Rules name it as `<plural>/scale`, as in Kubernetes. */
export async function scaleAnswer(
  deps: KubernetesDeps,
  request: ObjectRequest,
  paths: ScalePaths,
): Promise<Answer> {
  switch (verbOf(request.call.method, request.path, request.query)) {
    case 'get':
      return await runNative(deps, request.call, { ...common(deps, request, paths), method: 'GET' });
    case 'update': {
      const sent = await sentScale(deps, request);
      return await change(deps, request, paths, 'PUT', () => sent);
    }
    case 'patch':
      return await change(deps, request, paths, 'PATCH', await sentPatch(deps, request));
    default:
      throw new Problem(
        'method_not_allowed',
        'the server does not allow this method on the requested resource',
        { allow: ['GET', 'PUT', 'PATCH'] },
      );
  }
}

function common(
  { clock }: KubernetesDeps,
  { call, kind, path, query, renderer }: ObjectRequest,
  paths: ScalePaths,
  version = new AnsweredVersion(false),
): Omit<NativeRequest, 'method'> {
  const form = representationOf(call.headers.accept, query);
  return {
    kind,
    namespace: path.namespace,
    name: path.name,
    authorizedAs: 'scale',
    answers: {
      ...objectAnswers(renderer),
      item: (resource, _target, status = 200) => ({
        status,
        ...scaleInForm(renderScale(version.shown(resource), kind, paths), form, clock.now()),
      }),
    },
  };
}

async function sentScale({ bodyLimitBytes }: KubernetesDeps, { call }: ObjectRequest): Promise<JsonValue> {
  return parsed(await builtInBody(call, bodyLimitBytes));
}

function parsed(text: JsonText): JsonValue {
  parseDocument(text);
  return parseValue(text);
}

/** A patch of the Scale. A server-side apply says all that a Scale has, so that it replaces. */
async function sentPatch(
  { bodyLimitBytes }: KubernetesDeps,
  { call, query }: ObjectRequest,
): Promise<ScaleChange> {
  const types = [...Object.values(patchTypes), strategicType] as const;
  const { mediaType, bytes } = await call.typedBytes(types, bodyLimitBytes);
  const text = utf8Of(bytes);
  if (mediaType === patchTypes.apply) {
    const configuration = parsed(yamlToJson(text));
    return () => configuration;
  }
  requireNoForce(query);
  const value = parsed(text);
  if (mediaType === strategicType) {
    const patch = withoutType(value);
    return (scale) => strategicMerge(scale, patch);
  }
  return readPatch(mediaType === patchTypes.json ? 'json' : 'merge', text);
}

/** As in Kubernetes, the kind in a strategic merge patch does not count: Ansible sends that of the object. */
function withoutType(patch: JsonValue): JsonValue {
  if (!(patch instanceof Map)) return patch;
  return new Map([...patch].filter(([member]) => member !== 'kind' && member !== 'apiVersion'));
}

async function change(
  deps: KubernetesDeps,
  request: ObjectRequest,
  paths: ScalePaths,
  method: 'PUT' | 'PATCH',
  made: ScaleChange,
): Promise<Answer> {
  const { kind, query } = request;
  const version = new AnsweredVersion(isDryRun(query));
  const read = (): Patch => (document, stored) =>
    patchOfObject(kind, (object) => {
      const sent = readScale(made(scaleOf(object, paths), stored));
      requireSameName(sent, request);
      const scaled = completed(request, scaledBy(object, paths.spec, sent.replicas), { before: object });
      return { ...scaled, uid: sent.uid, resourceVersion: sent.resourceVersion };
    })(document, stored);
  return await runNative(deps, request.call, {
    ...common(deps, request, paths, version),
    method,
    query: { ...dryRunOf(query), fieldManager: managerOf(query) },
    patch: { format: 'translated', read: () => version.of(read()) },
  });
}

function requireSameName(sent: SentScale, request: ObjectRequest): void {
  requireNamespace(sent, request);
  if (sent.name !== null) requireName(sent, request);
}
