import type { JsonObject } from '@platform/resources';
import { jsonValueOf } from '../definitions/values.ts';

const text = (description: string) => ({ type: 'string', description });
const texts = (description: string) => ({ type: 'array', items: { type: 'string' }, description });
const flag = (description: string) => ({ type: 'boolean', description });
const integer = (description: string) => ({ type: 'integer', format: 'int32', description });
const time = (description: string) => ({ type: 'string', format: 'date-time', description });
const map = (description: string, value: object = { type: 'string' }) => ({
  type: 'object',
  additionalProperties: value,
  description,
});
const object = (description: string, properties: Record<string, object>, required: string[] = []) => ({
  type: 'object',
  description,
  properties,
  ...(required.length === 0 ? {} : { required }),
});
const list = (description: string, items: object) => ({ type: 'array', description, items });
const open = (description: string) => ({
  type: 'object',
  description,
  'x-kubernetes-preserve-unknown-fields': true,
});

const kind = (description: string, properties: Record<string, object>, required: string[] = []) =>
  object(
    description,
    {
      apiVersion: text('The group and version.'),
      kind: text('The kind.'),
      metadata: object('The metadata.', {}),
      ...properties,
    },
    required,
  );

const objectReference = object('Names another object.', {
  apiVersion: text('Its group and version.'),
  fieldPath: text('A part of it.'),
  kind: text('Its kind.'),
  name: text('Its name.'),
  namespace: text('Its namespace.'),
  resourceVersion: text('Its state.'),
  uid: text('Its uid.'),
});

const eventSeries = object('Of an event that repeats.', {
  count: integer('How often it happened.'),
  lastObservedTime: time('When it happened last.'),
});

const coreEvent = kind('A report of something that happened to an object.', {
  action: text('The action taken.'),
  count: integer('How often it happened.'),
  eventTime: time('When it happened first.'),
  firstTimestamp: time('When it happened first.'),
  involvedObject: objectReference,
  lastTimestamp: time('When it happened last.'),
  message: text('A description, for people.'),
  reason: text('The reason, for programs.'),
  related: objectReference,
  reportingComponent: text('Who tells it.'),
  reportingInstance: text('Who tells it.'),
  series: eventSeries,
  source: object('Who tells it.', { component: text('The program.'), host: text('The machine.') }),
  type: text('Normal or Warning.'),
});

const event = kind('A report of something that happened to an object.', {
  action: text('The action taken.'),
  deprecatedCount: integer('How often it happened.'),
  deprecatedFirstTimestamp: time('When it happened first.'),
  deprecatedLastTimestamp: time('When it happened last.'),
  deprecatedSource: object('Who tells it.', { component: text('The program.'), host: text('The machine.') }),
  eventTime: time('When it happened.'),
  note: text('A description, for people.'),
  reason: text('The reason, for programs.'),
  regarding: objectReference,
  related: objectReference,
  reportingController: text('Who tells it.'),
  reportingInstance: text('Who tells it.'),
  series: eventSeries,
  type: text('Normal or Warning.'),
});

const lease = kind('A lock that its holder must renew.', {
  spec: object('Who holds the lease.', {
    acquireTime: time('Since when.'),
    holderIdentity: text('Who holds it.'),
    leaseDurationSeconds: integer('How long others wait after the last renewal.'),
    leaseTransitions: integer('How often it changed hands.'),
    preferredHolder: text('Who should hold it.'),
    renewTime: time('When it was renewed last.'),
    strategy: text('How the holder is chosen.'),
  }),
});

const crdNames = object(
  'How people name the kind.',
  {
    categories: texts('Groups of kinds that it is listed with.'),
    kind: text('The kind.'),
    listKind: text('The kind of its lists.'),
    plural: text('The name in paths.'),
    shortNames: texts('Abbreviations.'),
    singular: text('The name of one.'),
  },
  ['kind', 'plural'],
);

const crdVersion = object(
  'A version of the kind.',
  {
    additionalPrinterColumns: list(
      'The columns that kubectl shows.',
      object('A column.', {
        description: text('A description of the column.'),
        format: text('How it is written.'),
        jsonPath: text('Where its value is.'),
        name: text('Its heading.'),
        priority: integer('Above 0: only with -o wide.'),
        type: text('integer, number, string, boolean or date.'),
      }),
    ),
    deprecated: flag('Whether clients are warned.'),
    deprecationWarning: text('The warning.'),
    name: text('The version: v1.'),
    schema: object('The schema.', { openAPIV3Schema: open('The structural schema of objects.') }),
    selectableFields: list(
      'The fields that field selectors may name.',
      object('A field.', { jsonPath: text('Where it is.') }),
    ),
    served: flag('Whether clients may use it.'),
    storage: flag('Whether objects are stored at it.'),
    subresources: open('status and scale.'),
  },
  ['name', 'served', 'storage'],
);

const crd = kind(
  'Registers a kind. It is another view of a ResourceDefinition.',
  {
    spec: object(
      'The kind.',
      {
        conversion: open('Conversion between versions: only the strategy None.'),
        group: text('The group of the kind.'),
        names: crdNames,
        preserveUnknownFields: flag('Must be false.'),
        scope: text('Namespaced for a kind below Organization, else Cluster.'),
        versions: list('The versions.', crdVersion),
      },
      ['group', 'names', 'scope', 'versions'],
    ),
    status: open('Whether the kind is served.'),
  },
  ['spec'],
);

const resourceAttributes = object('A request for resources.', {
  fieldSelector: open('Not used.'),
  group: text('The group; * for all.'),
  labelSelector: open('Not used.'),
  name: text('The name; empty for all.'),
  namespace: text('The namespace; empty for all.'),
  resource: text('The plural; * for all.'),
  subresource: text('The subresource.'),
  verb: text('get, list, watch, create, update, patch or delete; * for all.'),
  version: text('The version.'),
});

const accessReview = kind(
  'Asks whether you may do something.',
  {
    spec: object('The question.', {
      nonResourceAttributes: object('A request for a path.', {
        path: text('The path.'),
        verb: text('The method in lower case.'),
      }),
      resourceAttributes,
    }),
    status: open('The answer.'),
  },
  ['spec'],
);

const data = (description: string, more: Record<string, object>) =>
  kind(description, { immutable: flag('Whether the data may not change.'), ...more });
const bytes = { type: 'string', format: 'byte' };

/** The structural schemas of the kinds that exist without a definition, by `<apiVersion> <kind>`. */
const schemas: Readonly<Record<string, object>> = {
  'v1 Namespace': kind('The resources below an Organization.', {
    spec: object('Not used.', { finalizers: texts('Not used.') }),
    status: open('Whether it is being deleted.'),
  }),
  'v1 Secret': data('Data that is sealed where it is stored.', {
    data: map('Values in base64.', bytes),
    stringData: map('Values as text, which are added to data; write only.'),
    type: text('Says what the data is for.'),
  }),
  'v1 ConfigMap': data('Data that is not secret.', {
    binaryData: map('Values in base64.', bytes),
    data: map('Values as text.'),
  }),
  'v1 Event': coreEvent,
  'events.k8s.io/v1 Event': event,
  'coordination.k8s.io/v1 Lease': lease,
  'apiextensions.k8s.io/v1 CustomResourceDefinition': crd,
  'authorization.k8s.io/v1 SelfSubjectAccessReview': accessReview,
  'authorization.k8s.io/v1 SelfSubjectRulesReview': kind(
    'Asks what you may do in a namespace.',
    { spec: object('The question.', { namespace: text('The namespace.') }), status: open('The answer.') },
    ['spec'],
  ),
  'authentication.k8s.io/v1 SelfSubjectReview': kind('Asks who you are.', { status: open('The answer.') }),
};

/** The structural schema of a built-in kind; one that accepts any `spec` and `status` for kinds of the platform. */
export function builtInSchema(apiVersion: string, name: string): JsonObject {
  const schema = schemas[`${apiVersion} ${name}`];
  return jsonValueOf(schema ?? kind('', { spec: open(''), status: open('') })) as JsonObject;
}
