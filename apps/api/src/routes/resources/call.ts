import { etagOf, type Precondition } from '@platform/kernel';
import {
  type Caller,
  type CollectionTarget,
  type ConditionalRequest,
  type ItemTarget,
  type JsonDocument,
  type JsonText,
  type PatchFormat,
  parseDocument,
  projectedApiVersion,
  type RequestOrigin,
  type ResolvedTarget,
  type Resource,
  type ResourcePorts,
  renderEnvelope,
  type View,
} from '@platform/resources';
import type { Answer, Headers } from '../../endpoint/answer.ts';
import { yamlToJson } from '../../http/yaml.ts';

/** The media types of patches: RFC 7396, RFC 6902, and server-side apply of Kubernetes. */
export const patchTypes = {
  merge: 'application/merge-patch+json',
  json: 'application/json-patch+json',
  apply: 'application/apply-patch+yaml',
} as const satisfies Record<PatchFormat | 'apply', string>;

/** The body of a PATCH. */
export interface PatchBody {
  readonly format: keyof typeof patchTypes;
  /** JSON that `parseDocument` has accepted. */
  readonly document: JsonText;
}

/** A patch in one of {@link patchTypes}. Throws `malformed_body`. */
export function patchBodyOf(mediaType: string, text: string): PatchBody {
  const document = mediaType === patchTypes.apply ? yamlToJson(text) : text;
  parseDocument(document);
  const format = mediaType === patchTypes.apply ? 'apply' : mediaType === patchTypes.json ? 'json' : 'merge';
  return { format, document };
}

/** A request to the generic API that may use its target. */
export interface ResourceCall {
  readonly ports: ResourcePorts;
  readonly caller: Caller;
  readonly requestId: string;
  readonly method: string;
  /** The raw path of the request. */
  readonly path: string;
  /** The query as it came, without the `?`. */
  readonly rawQuery: string;
  /** Told of the template of the path. */
  matched(template: string): void;
  /** Sets headers of whatever is answered, refusals too. */
  setHeaders(headers: Headers): void;
  /** The parameters of the query. */
  query(): URLSearchParams;
  /** Streams the changes of the target, when the query asks for it; null when it asks for one answer. */
  watch(target: CollectionTarget | ItemTarget): Promise<Answer> | null;
  /** Every configured controller id, for the rules about who owns a finalizer. */
  readonly controllerIds: readonly string[];
  /** The versions that `If-Match` names; null without the header. Throws `malformed_request`. */
  precondition(): Precondition | null;
  /** Where the request comes from, and why. Throws `malformed_request` for an unacceptable reason. */
  origin(): RequestOrigin;
  /** Reads and parses the body. Repeated calls return the same document. */
  body(): Promise<JsonDocument>;
  /** The key of a request that may be repeated, or null. */
  idempotencyKey(): string | null;
  /** The text of the body of {@link body}. */
  bodyText(): Promise<string>;
  /** Reads the body of a PATCH. Repeated calls return the same. */
  patch(): Promise<PatchBody>;
  /** The most bytes of the body: {@link bodyLimitFor}. */
  readonly bodyLimitBytes: number;
}

const withData = /^\/api\/v1\/resources\/platform\.dev\/v1alpha1\/(?:secrets|configmaps)(?:\/|$)/;

/** Room for the largest values of a Secret or ConfigMap as base64, or as text with some escapes, and for metadata. */
const dataBodyBytes = 2 * 1024 * 1024;

/** The most bytes of the body of a request: the configured limit, and at least what a kind needs. */
export function bodyLimitFor(path: string, configured: number): number {
  return withData.test(path) ? Math.max(configured, dataBodyBytes) : configured;
}

/** The part of a request that the use cases of items share. */
export function conditional(call: ResourceCall, target: ItemTarget): ConditionalRequest {
  const { caller, requestId } = call;
  return { caller, requestId, origin: call.origin(), target, precondition: call.precondition() };
}

/** The envelope of a row at the version of the path. */
export function envelopeAt(resource: Resource, { version }: ResolvedTarget, view: View = 'full'): string {
  return renderEnvelope(resource, projectedApiVersion(resource, version), view);
}

/** The answer with one item and its `ETag`. */
export function itemAnswer(
  resource: Resource,
  target: ResolvedTarget,
  status = 200,
  view: View = 'full',
): Answer {
  return { status, body: envelopeAt(resource, target, view), headers: { ETag: etagOf(resource) } };
}
