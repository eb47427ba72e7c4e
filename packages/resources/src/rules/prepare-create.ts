import { invalid } from '@platform/kernel';
import type { Collection } from '../model/definition.ts';
import type { JsonDocument } from '../model/json-document.ts';
import type { OwnerReference } from '../model/owner-reference.ts';
import type { JsonText } from '../model/resource.ts';
import { createBody } from '../model/schemas.ts';
import { requireValid } from './faults.ts';
import { distinctFinalizers, guardReserved } from './finalizers.ts';
import { judgeOwnerReferences } from './owner-references.ts';
import { envelopeFaults, requireStorageVersion } from './versions.ts';

/** What a client may decide about a resource, judged by everything but the schema of its kind and other rows. */
export interface ResourceContent {
  readonly name: string;
  readonly metadata: JsonText;
  readonly spec: { readonly value: Readonly<Record<string, unknown>>; readonly text: JsonText };
  readonly finalizers: readonly string[];
  readonly ownerReferences: readonly OwnerReference[];
}

/** Judges the body of a create (specification, "Create"). Throws the first kind of refusal, with all faults of that kind. */
export function prepareCreate(
  body: JsonDocument,
  collection: Collection,
  urlVersion: string,
): ResourceContent {
  requireStorageVersion(collection, urlVersion);
  const envelope = requireValid(createBody, body.value);
  const faults = envelopeFaults(envelope, collection, urlVersion);
  if (faults.length > 0) throw invalid(faults);
  const content = contentOf(envelope, body);
  guardReserved([], content.finalizers);
  judgeOwnerReferences(content.ownerReferences, collection);
  return content;
}

/** What a validated envelope of a create or replacement asks to store; documents as their raw text. */
export function contentOf(
  envelope: {
    readonly metadata: {
      readonly name: string;
      readonly finalizers?: readonly string[] | undefined;
      readonly ownerReferences?: readonly OwnerReference[] | undefined;
    };
    readonly spec?: Record<string, unknown> | undefined;
  },
  body: JsonDocument,
): ResourceContent {
  return {
    name: envelope.metadata.name,
    metadata: `{"annotations":${body.raw('/metadata/annotations') ?? '{}'}}`,
    spec: { value: envelope.spec ?? {}, text: body.raw('/spec') ?? '{}' },
    finalizers: distinctFinalizers(envelope.metadata.finalizers ?? []),
    ownerReferences: envelope.metadata.ownerReferences ?? [],
  };
}
