import { invalid } from '@platform/kernel';
import type { Collection } from '../model/definition.ts';
import type { JsonDocument } from '../model/json-document.ts';
import { type Labels, noLabels } from '../model/labels.ts';
import type { OwnerReference } from '../model/owner-reference.ts';
import { createBody } from '../model/request-bodies.ts';
import type { JsonText } from '../model/resource.ts';
import { distinctFinalizers, validateReservedFinalizers } from './finalizers.ts';
import { validateOwnerReferences } from './owner-references.ts';
import { envelopeFaults, requireStorageVersion, requireValid } from './validate-body.ts';

/** The collection that a body is for, the version in the URL, and the rule of the kind for owner references. */
export interface WriteTarget {
  readonly collection: Collection;
  readonly version: string;
  readonly allowsOwnerReferences: boolean;
  /** Completes the text of the spec, as the kind says. */
  readonly completeSpec?: (spec: JsonText) => JsonText;
}

/** The parts of a resource that a client controls. */
export interface ResourceContent {
  readonly name: string;
  readonly labels: Labels;
  readonly metadata: JsonText;
  readonly spec: { readonly value: Readonly<Record<string, unknown>>; readonly text: JsonText };
  readonly finalizers: readonly string[];
  readonly ownerReferences: readonly OwnerReference[];
}

/** Validates the body of a create. Throws the first refusal that applies, with all faults of its code. */
export function prepareCreate(
  body: JsonDocument,
  { collection, version, allowsOwnerReferences, completeSpec }: WriteTarget,
): ResourceContent {
  requireStorageVersion(collection, version);
  const envelope = requireValid(createBody, body.value);
  const faults = envelopeFaults(envelope, collection, version);
  if (faults.length > 0) throw invalid(faults);
  const content = contentOf(envelope, body, completeSpec);
  validateReservedFinalizers([], content.finalizers);
  validateOwnerReferences(content.ownerReferences, {
    kind: collection.kind,
    allowed: allowsOwnerReferences,
  });
  return content;
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
  const sent = body.raw('/spec') ?? '{}';
  const text = completeSpec?.(sent) ?? sent;
  return {
    name: envelope.metadata.name,
    labels: (envelope.metadata.labels as Labels | undefined) ?? noLabels,
    metadata: `{"annotations":${body.raw('/metadata/annotations') ?? '{}'}}`,
    spec: { value: text === sent ? (envelope.spec ?? {}) : JSON.parse(text), text },
    finalizers: distinctFinalizers(envelope.metadata.finalizers ?? []),
    ownerReferences: envelope.metadata.ownerReferences ?? [],
  };
}
