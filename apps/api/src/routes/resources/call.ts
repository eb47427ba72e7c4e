import { etagOf, type Precondition } from '@platform/kernel';
import {
  type Caller,
  type ConditionalRequest,
  type ItemTarget,
  type JsonDocument,
  type JsonText,
  type PatchFormat,
  projectedApiVersion,
  type RequestOrigin,
  type ResolvedTarget,
  type Resource,
  type ResourcePorts,
  renderEnvelope,
} from '@platform/resources';
import type { Answer } from '../../endpoint/answer.ts';

/** The media types of patches (RFC 7396 and RFC 6902), by format. */
export const patchTypes = {
  merge: 'application/merge-patch+json',
  json: 'application/json-patch+json',
} as const satisfies Record<PatchFormat, string>;

/** The body of a PATCH. */
export interface PatchBody {
  readonly format: PatchFormat;
  /** JSON that `parseDocument` has accepted. */
  readonly document: JsonText;
}

/** A request to the generic API that may use its target. */
export interface ResourceCall {
  readonly ports: ResourcePorts;
  readonly caller: Caller;
  readonly requestId: string;
  /** The raw path of the request, for the `Location` of a new resource. */
  readonly path: string;
  /** The parameters of the query. */
  query(): URLSearchParams;
  /** Every configured controller id, for the rules about who owns a finalizer. */
  readonly controllerIds: readonly string[];
  /** The versions that `If-Match` names; null without the header. Throws `malformed_request`. */
  precondition(): Precondition | null;
  /** Where the request comes from, and why. Throws `malformed_request` for an unacceptable reason. */
  origin(): RequestOrigin;
  /** Reads and parses the body. Repeated calls return the same document. */
  body(): Promise<JsonDocument>;
  /** Reads the body of a PATCH. Repeated calls return the same. */
  patch(): Promise<PatchBody>;
  /** `server.body_limit_bytes`. */
  readonly bodyLimitBytes: number;
}

/** The part of a request that the use cases of items share. */
export function conditional(call: ResourceCall, target: ItemTarget): ConditionalRequest {
  const { caller, requestId } = call;
  return { caller, requestId, origin: call.origin(), target, precondition: call.precondition() };
}

/** The envelope of a row at the version of the path. */
export function envelopeAt(resource: Resource, { version }: ResolvedTarget): string {
  return renderEnvelope(resource, projectedApiVersion(resource, version));
}

/** The answer with one item and its `ETag`. */
export function itemAnswer(resource: Resource, target: ResolvedTarget, status = 200): Answer {
  return { status, body: envelopeAt(resource, target), headers: { ETag: etagOf(resource) } };
}
