import { type Fault, invalid, Problem } from '@platform/kernel';
import {
  controllerAnnotation,
  type JsonObject,
  type JsonText,
  type JsonValue,
  parseValue,
  type Resource,
  renderValue,
} from '@platform/resources';
import { toAppliedDefinition, toDefinitionSpec } from '../definitions/to-definition-spec.ts';
import { withoutAppliedValues } from './applied-secret.ts';
import { storedKindName } from './built-in-kinds.ts';
import { withoutLineBreaks } from './data-bytes.ts';
import { generateNameAnnotation, isHiddenAnnotation } from './hidden-annotations.ts';
import { apiVersionOf, type KubernetesKind } from './kind.ts';
import { withoutNamespaceLabel } from './namespace-label.ts';

/** An object as a client sent it. */
export interface SentObject {
  readonly name: string | null;
  readonly generateName: string | null;
  readonly namespace: string | null;
  readonly uid: string | null;
  /** Null for any. */
  readonly resourceVersion: string | null;
  readonly metadata: JsonObject;
  readonly spec: JsonObject;
  readonly status: JsonValue | undefined;
  /** Members that the kind does not have, as paths. */
  readonly unknownFields: readonly string[];
}

const metadataMembers = new Set([
  ...['name', 'generateName', 'namespace', 'uid', 'resourceVersion', 'generation', 'creationTimestamp'],
  ...['deletionTimestamp', 'deletionGracePeriodSeconds', 'labels', 'annotations', 'ownerReferences'],
  ...['finalizers', 'managedFields', 'selfLink'],
]);

const envelopeMembers = ['apiVersion', 'kind', 'metadata'];

/** Reads an object of the kind. Throws `malformed_body` or `validation_failed`. */
export function toSentObject(value: JsonValue, kind: KubernetesKind): SentObject {
  if (!(value instanceof Map)) throw new Problem('malformed_body', 'The body is not an object.');
  requireKind(value, kind);
  const given = value.get('metadata') ?? new Map();
  if (!(given instanceof Map)) throw invalid([{ path: '/metadata', message: 'must be an object' }]);
  const metadata = withoutNamespaceLabel(given, kind);
  const faults: Fault[] = [];
  const text = (member: string) => {
    const found = optionalString(metadata.get(member));
    if (found === undefined) faults.push({ path: `/metadata/${member}`, message: 'must be a string' });
    return found || null;
  };
  const sent = {
    name: text('name'),
    generateName: text('generateName'),
    namespace: text('namespace'),
    uid: text('uid'),
    resourceVersion: anyFor0(text('resourceVersion')),
    metadata,
    spec: specOf(value, kind, faults),
    status: value.get('status'),
    unknownFields: unknownFields(value, metadata, kind),
  };
  faults.push(...controllerFaults(metadata.get('ownerReferences')));
  if (faults.length > 0) throw invalid(faults);
  return sent;
}

/** An object has one controller at most. */
function controllerFaults(references: JsonValue | undefined): Fault[] {
  const controllers = (Array.isArray(references) ? references : []).filter(
    (reference): reference is JsonObject =>
      reference instanceof Map && reference.get('controller') === 'true',
  );
  if (controllers.length < 2) return [];
  const names = controllers.map((reference) => optionalString(reference.get('name')) ?? '');
  const message = `Only one reference can have Controller set to true. Found "true" in references for ${names.join(' and ')}`;
  return [{ path: '/metadata/ownerReferences', message }];
}

/** The version 0 stands for any, as in Kubernetes. */
function anyFor0(resourceVersion: string | null): string | null {
  return resourceVersion === '0' ? null : resourceVersion;
}

/** Null for null and absent, undefined for anything else that is no string. */
function optionalString(value: JsonValue | undefined): string | null | undefined {
  if (value === undefined || value === 'null') return null;
  return typeof value === 'string' && value.startsWith('"') ? (JSON.parse(value) as string) : undefined;
}

function requireKind(value: JsonObject, kind: KubernetesKind): void {
  const apiVersion = optionalString(value.get('apiVersion')) ?? '';
  const name = optionalString(value.get('kind')) ?? '';
  const wanted = apiVersionOf(kind);
  // Clients with types leave them out: for built-in kinds the path says both, as in Kubernetes.
  const mayOmit = kind.form !== 'resource';
  if (apiVersion !== wanted && !(mayOmit && apiVersion === '')) {
    throw new Problem(
      'malformed_body',
      `the API version in the data (${apiVersion}) does not match the expected API version (${wanted})`,
    );
  }
  if (name !== kind.kind && !(mayOmit && name === '')) {
    throw new Problem(
      'malformed_body',
      `the kind in the data (${name}) does not match the expected kind (${kind.kind})`,
    );
  }
}

function specOf(value: JsonObject, kind: KubernetesKind, faults: Fault[]): JsonObject {
  const { form } = kind;
  if (form === 'namespace') return new Map();
  if (form === 'data') {
    return withoutLineBreaks(
      new Map([...value].filter(([name, member]) => !envelopeMembers.includes(name) && member !== 'null')),
      kind,
    );
  }
  const spec = value.get('spec');
  if (spec === undefined || spec === 'null') return new Map();
  if (spec instanceof Map) return spec;
  faults.push({ path: '/spec', message: 'must be an object' });
  return new Map();
}

function unknownFields(value: JsonObject, metadata: JsonObject, { form }: KubernetesKind): readonly string[] {
  const known = new Set([...envelopeMembers, 'spec', 'status']);
  return [
    ...[...value.keys()].filter((name) => form !== 'data' && !known.has(name)),
    ...[...metadata.keys()].filter((name) => !metadataMembers.has(name)).map((name) => `metadata.${name}`),
  ];
}

/** The members of `metadata` in the form of the resource API, without the name. */
export function storedMetadata({ metadata, generateName }: SentObject, kind: KubernetesKind): JsonObject {
  const given = (name: string): JsonValue | undefined => {
    const value = metadata.get(name);
    return value === 'null' ? undefined : value;
  };
  const { references, controller } = storedOwners(given('ownerReferences'));
  const annotations = given('annotations');
  const kept: JsonObject = new Map(
    annotations instanceof Map ? [...annotations].filter(([name]) => !isHiddenAnnotation(name)) : [],
  );
  if (controller !== undefined) kept.set(controllerAnnotation, controller);
  if (generateName !== null) kept.set(generateNameAnnotation, JSON.stringify(generateName));
  const members: readonly (readonly [string, JsonValue | undefined])[] = [
    ['labels', given('labels')],
    [
      'annotations',
      annotations === undefined || annotations instanceof Map
        ? kept.size > 0
          ? withoutAppliedValues(kept, kind)
          : undefined
        : annotations,
    ],
    ['finalizers', given('finalizers')],
    ['ownerReferences', references],
  ];
  return new Map(members.filter((member): member is [string, JsonValue] => member[1] !== undefined));
}

/** Owner references without `controller`, for which the resource API has no member. */
function storedOwners(value: JsonValue | undefined): {
  readonly references: JsonValue | undefined;
  readonly controller: JsonValue | undefined;
} {
  if (!Array.isArray(value)) return { references: value, controller: undefined };
  let controller: JsonValue | undefined;
  const references = value.map((reference) => {
    if (!(reference instanceof Map)) return reference;
    const { controller: isController, ...members } = Object.fromEntries(reference);
    if (isController === 'true') controller = members['uid'];
    const named = storedKindName({
      apiVersion: optionalString(members['apiVersion']) ?? '',
      kind: optionalString(members['kind']) ?? '',
    });
    const kept = Object.entries(members).filter(([, member]) => member !== 'null');
    return new Map([
      ...kept,
      ['blockOwnerDeletion', members['blockOwnerDeletion'] === 'true' ? 'true' : 'false'],
      ['apiVersion', JSON.stringify(named.apiVersion)],
      ['kind', JSON.stringify(named.kind)],
    ] as readonly [string, JsonValue][]);
  });
  return { references, controller };
}

/** The `spec` in the form of the resource API. `before` is the one that it replaces. */
export function storedSpec(sent: SentObject, { form }: KubernetesKind, before: JsonText | null): JsonObject {
  if (form === 'namespace') return before === null ? new Map() : (parseValue(before) as JsonObject);
  if (form !== 'definition') return sent.spec;
  return toDefinitionSpec(definitionWith(sent), before === null ? null : (parseValue(before) as JsonObject));
}

/** The body of a server-side apply of the resource API. A configuration without a `spec` says nothing about it, and its manager does not own it. */
export function appliedBody(sent: SentObject, kind: KubernetesKind, name: string): JsonText {
  const metadata = new Map([['name', JSON.stringify(name)], ...storedMetadata(sent, kind)]);
  const spec =
    kind.form === 'definition' ? toAppliedDefinition(definitionWith(sent)) : storedSpec(sent, kind, null);
  return bodyText(kind, metadata, spec.size > 0 ? spec : undefined);
}

const definitionWith = ({ spec }: SentObject): JsonObject => new Map([['spec', spec]]);

/**
 * Throws `validation_failed` for an applied CustomResourceDefinition that is to be created and is not whole, or whose scope is another than the
 * stored one.
 */
export function requireAppliedDefinition(sent: SentObject, merged: JsonValue, stored: Resource | null): void {
  if (stored === null) {
    toDefinitionSpec(definitionWith(sent), null);
    return;
  }
  const scope = sent.spec.get('scope');
  const spec = merged instanceof Map ? merged.get('spec') : undefined;
  const isNamespaced = spec instanceof Map && spec.has('parent');
  if (scope === undefined || (scope === '"Namespaced"') === isNamespaced) return;
  throw invalid([{ path: '/spec/scope', message: 'field is immutable' }]);
}

/** The body of a request to the resource API. */
export function storedBody(
  sent: SentObject,
  kind: KubernetesKind,
  { name, stored: before = null }: { readonly name: string; readonly stored?: Resource | null },
): JsonText {
  const metadata = new Map<string, JsonValue>([
    ['name', JSON.stringify(name)],
    ...(before === null ? [] : ([['revision', String(before.revision)]] as const)),
    ...storedMetadata(sent, kind),
  ]);
  return bodyText(kind, metadata, storedSpec(sent, kind, before?.spec ?? null));
}

function bodyText({ stored }: KubernetesKind, metadata: JsonObject, spec?: JsonObject): JsonText {
  const said = spec === undefined ? '' : `,"spec":${renderValue(spec)}`;
  return `{"apiVersion":"${stored.group}/${stored.version}","kind":"${stored.kind}","metadata":${renderValue(metadata)}${said}}`;
}
