import type { Collection } from '../model/definition.ts';
import type { JsonDocument } from '../model/json-document.ts';
import { type Labels, noLabels } from '../model/labels.ts';
import { legibleBody } from '../model/legible-body.ts';
import type { OwnerReference } from '../model/owner-reference.ts';
import { createBody } from '../model/request-bodies.ts';
import type { ClientMetadata, JsonText } from '../model/resource.ts';
import { allOf } from './all-faults.ts';
import { distinctFinalizers, validateReservedFinalizers } from './finalizers.ts';
import { validateOwnerReferences } from './owner-references.ts';
import { requireEnvelope, requireStorageVersion, validOf } from './validate-body.ts';

/** The collection that a body is for, the version in the URL, and the rule of the kind for owner references. */
export interface WriteTarget {
  readonly collection: Collection;
  readonly version: string;
  readonly allowsOwnerReferences: boolean;
  /** Completes the text of the spec, as the kind says. */
  readonly completeSpec?: (spec: JsonText) => JsonText;
}

/** The parts of a resource that a client controls. */
export interface ResourceContent extends ClientMetadata {
  readonly name: string;
  readonly spec: { readonly value: Readonly<Record<string, unknown>>; readonly text: JsonText };
}

/** Validates the body of a create. Throws every fault of its envelope, with the code of the first. */
export function prepareCreate(
  body: JsonDocument,
  { collection, version, allowsOwnerReferences, completeSpec }: WriteTarget,
): ResourceContent {
  requireStorageVersion(collection, version);
  const parsed = createBody.safeParse(body.value);
  const sent = parsed.success ? parsed.data : legibleBody(body.value);
  const { finalizers = [], ownerReferences = [] } = sent.metadata;
  const [envelope] = allOf(
    () => validOf(parsed),
    () => requireEnvelope(sent, collection, version),
    () => distinctFinalizers(finalizers),
    () => validateReservedFinalizers([], finalizers),
    () => validateOwnerReferences(ownerReferences, { kind: collection.kind, allowed: allowsOwnerReferences }),
  );
  return contentOf(envelope, body, completeSpec);
}

/** The name and the spec of a body that may have faults elsewhere; null when the spec has no form to validate. */
export function proposedIn(
  body: JsonDocument,
  { completeSpec }: Pick<WriteTarget, 'completeSpec'>,
): Pick<ResourceContent, 'name' | 'spec'> | null {
  const { metadata, spec } = legibleBody(body.value);
  return spec === undefined ? null : { name: metadata.name ?? '', spec: specOf(spec, body, completeSpec) };
}

/** The content of a validated body of a create or a replacement; documents as their raw text. */
export function contentOf(
  envelope: {
    readonly metadata: {
      readonly name: string;
      /** Validated: every value is a string. */
      readonly labels?: Readonly<Record<string, unknown>> | undefined;
      readonly finalizers?: readonly string[] | undefined;
      readonly ownerReferences?: readonly OwnerReference[] | undefined;
    };
    readonly spec?: Record<string, unknown> | undefined;
  },
  body: JsonDocument,
  completeSpec?: WriteTarget['completeSpec'],
): ResourceContent {
  return {
    name: envelope.metadata.name,
    labels: (envelope.metadata.labels as Labels | undefined) ?? noLabels,
    metadata: `{"annotations":${body.raw('/metadata/annotations') ?? '{}'}}`,
    spec: specOf(envelope.spec ?? {}, body, completeSpec),
    finalizers: distinctFinalizers(envelope.metadata.finalizers ?? []),
    ownerReferences: envelope.metadata.ownerReferences ?? [],
  };
}

function specOf(
  value: Readonly<Record<string, unknown>>,
  body: JsonDocument,
  completeSpec: WriteTarget['completeSpec'],
): ResourceContent['spec'] {
  const sent = body.raw('/spec') ?? '{}';
  const text = completeSpec?.(sent) ?? sent;
  return { value: text === sent ? value : JSON.parse(text), text };
}
