import { etagOf, type Precondition, Problem } from '@platform/kernel';
import {
  type AppliedBefore,
  type Caller,
  type CollectionTarget,
  type ConditionalRequest,
  type Deletion,
  type IdempotencyKey,
  type Identity,
  type ItemTarget,
  type JsonDocument,
  type JsonText,
  type JsonValue,
  type ManagedStatus,
  type Patch,
  type PatchFormat,
  parseDocument,
  patchStatus,
  projectedApiVersion,
  type RequestOrigin,
  type ResolvedTarget,
  type Resource,
  type ResourcePage,
  type ResourcePorts,
  renderEnvelope,
  renderPage,
  type SlotCheck,
  type Transaction,
  type View,
} from '@platform/resources';
import type { Principal } from '@platform/tokens';
import type { Answer, Headers } from '../../endpoint/answer.ts';
import { yamlToJson } from '../../http/yaml.ts';

/** The media types of patches: RFC 7396, RFC 6902, and server-side apply of Kubernetes. */
export const patchTypes = {
  merge: 'application/merge-patch+json',
  json: 'application/json-patch+json',
  apply: 'application/apply-patch+yaml',
} as const satisfies Record<PatchFormat | 'apply', string>;

/** The body of a PATCH. */
export type PatchBody =
  | {
      readonly format: PatchFormat;
      /** JSON that `parseDocument` has accepted. */
      readonly document: JsonText;
    }
  | {
      readonly format: 'apply';
      readonly document: JsonText;
      /** See `ApplyRequest`. */
      readonly appliedBefore?: AppliedBefore;
      /** See `ApplyRequest`. */
      readonly complete?: (value: JsonValue, stored: Resource | null) => JsonValue;
    }
  | {
      /** A patch of another interface. It is made when it is needed, since it may be refused. */
      readonly format: 'translated';
      readonly read: () => Patch;
    };

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
  /** Reports the template of the path, for metrics. */
  matched(template: string): void;
  /** Sets headers of whatever is answered, refusals too. */
  setHeaders(headers: Headers): void;
  /** The parameters of the query. */
  query(): URLSearchParams;
  /** Streams the changes of the target, when the query asks for it; null when it asks for one answer. */
  watch(target: CollectionTarget | ItemTarget): Promise<Answer> | null;
  /** The versions that `If-Match` and `If-None-Match` name; null without the headers. Throws `malformed_request`. */
  precondition(): Precondition | null;
  /** Where the request comes from, and why. Throws `malformed_request` for an unacceptable reason. */
  origin(): RequestOrigin;
  /** Reads and parses the body. Repeated calls return the same document. */
  body(): Promise<JsonDocument>;
  /** The key of a request that may be repeated, or null. */
  idempotencyKey(): IdempotencyKey | null;
  /** The text of the body of {@link body}. */
  bodyText(): Promise<string>;
  /** Reads the body of a PATCH. Repeated calls return the same one. */
  patch(): Promise<PatchBody>;
  /** The most bytes of the body: {@link bodyLimitFor}. */
  readonly bodyLimitBytes: number;
  /** An earlier answer: the call writes nothing. It checks whether the caller may have that answer, and ends with an empty one. */
  readonly onlyAuthorize?: { readonly body: string; readonly transaction: Transaction };
  /** The form of the answers. */
  readonly answers: Presentation;
  /** How another interface than the resource API differs from it. */
  readonly translation?: Translation;
}

/** The form in which an interface answers with resources. */
export interface Presentation {
  /** Answers with one item: 200 with all of it unless told. */
  item(resource: Resource, target: ResolvedTarget, status?: number, view?: View): Answer;
  page(page: ResourcePage, target: CollectionTarget, view: View): Answer;
  /** Answers a DELETE: whether the resource is gone, with its last state or its tombstone. */
  deleted(deletion: Deletion, target: ItemTarget): Answer;
}

/**
 * How an interface that translates its requests, such as the Kubernetes API, differs: its PUT is a patch of the latest revision, which compares
 * what the caller has read by itself.
 */
export interface Translation {
  /** The status slot that all of its callers write. */
  readonly sharedSlot: string;
  /** Its check of what they write there. */
  readonly checkSlot?: SlotCheck | undefined;
  /** How the fields of the slot are managed, and by whom. */
  readonly managed?: (ManagedStatus & { readonly fieldManager: string | null }) | undefined;
  /** The subresource that rules must name, when it is not that of the path. */
  readonly subresource?: string | undefined;
}

/** The principal as an identity of the generic API. Its tier and its bindings decide about its access. */
export function identityOfPrincipal(
  principal: Principal | null,
  readingControllers: ReadonlySet<string>,
): Identity {
  switch (principal?.type) {
    case 'operator':
      return { type: 'operator', email: principal.email };
    case 'controller':
      return { type: 'controller', id: principal.id, reads: readingControllers.has(principal.id) };
    case 'service_account':
      return { type: 'service_account', email: principal.email, uid: principal.uid };
    case 'user': {
      const { email, session } = principal;
      return {
        type: 'user',
        email,
        emailVerified: session?.emailVerified ?? false,
        groups: session?.groups ?? [],
      };
    }
    case undefined:
      throw new Problem('unauthenticated', 'A valid bearer token is required.');
  }
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

/** Writes the status slot that all callers of an interface share, by its patch. One that changes nothing keeps the revision. */
export async function patchSharedSlot(
  call: ResourceCall,
  request: ConditionalRequest & { readonly slots: readonly string[] },
): Promise<Resource> {
  const body = await call.patch();
  if (body.format !== 'translated' || call.translation === undefined) throw new Error('not a shared slot');
  const { sharedSlot, checkSlot, managed } = call.translation;
  const check = checkSlot === undefined ? {} : { checkSlot };
  const fields = managed === undefined ? {} : { managed, fieldManager: managed.fieldManager };
  return await patchStatus(call.ports, { ...request, ...check, ...fields, sharedSlot, patch: body.read() });
}

/** The envelope of a row at the version of the path. */
export function envelopeAt(resource: Resource, { version }: ResolvedTarget, view: View = 'full'): string {
  return renderEnvelope(resource, projectedApiVersion(resource, version), view);
}

/** The answers of the resource API: envelopes with an `ETag`, and pages of them. */
export const envelopes: Presentation = {
  item: (resource, target, status = 200, view = 'full') => ({
    status,
    body: envelopeAt(resource, target, view),
    headers: { ETag: etagOf(resource) },
  }),
  page(page, target, view) {
    const { collection, version } = target;
    const items = page.items.map((item) => envelopeAt(item, target, view));
    const text = renderPage(items, `${collection.group}/${version}`, `${collection.kind}List`, page);
    return { status: 200, body: text };
  },
  deleted({ deleted, resource }, target) {
    if (deleted) return { status: 200, body: `{"deleted":true,"uid":"${resource.uid}"}` };
    const envelope = envelopeAt(resource, target);
    return { status: 202, body: `{"deleted":false,"markedForDeletion":true,"resource":${envelope}}` };
  },
};
