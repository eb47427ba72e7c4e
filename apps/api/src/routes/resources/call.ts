import { etagOf, type Precondition } from '@platform/kernel';
import {
  type Caller,
  type JsonDocument,
  projectedApiVersion,
  type ResolvedTarget,
  type Resource,
  type ResourcePorts,
  renderEnvelope,
} from '@platform/resources';
import type { Answer } from '../../endpoint/answer.ts';

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
  /** Reads and parses the body. Repeated calls return the same document. */
  body(): Promise<JsonDocument>;
}

/** The envelope of a row at the version of the path. */
export function envelopeAt(resource: Resource, { version }: ResolvedTarget): string {
  return renderEnvelope(resource, projectedApiVersion(resource, version));
}

/** The answer with one item and its `ETag`. */
export function itemAnswer(resource: Resource, target: ResolvedTarget, status = 200): Answer {
  return { status, body: envelopeAt(resource, target), headers: { ETag: etagOf(resource) } };
}
