/** Schemas of what all objects share, in the dialect of OpenAPI that Kubernetes publishes, with its names of components. */

const meta = 'io.k8s.apimachinery.pkg.apis.meta.v1';

/** The component of a type of `meta/v1`. */
export const metaName = (type: string): string => `${meta}.${type}`;

/** The component of a Scale. */
export const scaleName = 'io.k8s.api.autoscaling.v1.Scale';

const text = (description: string) => ({ type: 'string', description });
const texts = (description: string) => ({ type: 'array', items: { type: 'string' }, description });
const textMap = (description: string) => ({
  type: 'object',
  additionalProperties: { type: 'string' },
  description,
});
const time = (description: string) => ({ type: 'string', format: 'date-time', description });

const count = (description: string) => ({ type: 'integer', format: 'int32', description });

const apiVersion = text('The group and version of the schema of this object.');
const kind = text('The kind of this object.');

const ownerReference = {
  type: 'object',
  description: 'Names the owner of an object. An object whose owner is deleted is deleted too.',
  required: ['apiVersion', 'kind', 'name', 'uid'],
  properties: {
    apiVersion: text('The group and version of the owner.'),
    kind: text('The kind of the owner.'),
    name: text('The name of the owner.'),
    uid: text('The uid of the owner.'),
    controller: {
      type: 'boolean',
      description: 'Whether the owner is the controller that manages the object.',
    },
    blockOwnerDeletion: {
      type: 'boolean',
      description: 'Whether the owner stays until this object is gone.',
    },
  },
  'x-kubernetes-map-type': 'atomic',
};

const managedFields = {
  type: 'object',
  description: 'The fields that one manager has set.',
  properties: {
    apiVersion: text('The version of the object that the fields belong to.'),
    fieldsType: text('FieldsV1.'),
    fieldsV1: { type: 'object', description: 'The set of fields.' },
    manager: text('Who manages the fields.'),
    operation: text('Apply or Update.'),
    subresource: text('The subresource that the fields were written through.'),
    time: time('When the fields changed last.'),
  },
};

/** The schemas by component; `ref` makes a reference to another component. */
export function metaSchemas(ref: (component: string) => object): Record<string, object> {
  const list = (component: string, description: string) => ({
    type: 'array',
    items: ref(component),
    description,
  });
  return {
    [metaName('OwnerReference')]: ownerReference,
    [metaName('ManagedFieldsEntry')]: managedFields,
    [metaName('ObjectMeta')]: {
      type: 'object',
      description: 'The metadata that all objects have.',
      properties: {
        annotations: textMap('Values that tools and people attach to the object.'),
        creationTimestamp: time('When the object was created. Set by the server.'),
        deletionGracePeriodSeconds: { type: 'integer', format: 'int64', description: 'Set by the server.' },
        deletionTimestamp: time('When the deletion of the object was requested. Set by the server.'),
        finalizers: {
          ...texts('Who must act before the object is removed.'),
          'x-kubernetes-list-type': 'set',
          'x-kubernetes-patch-strategy': 'merge',
        },
        generateName: text('A prefix, from which the server makes a name that is free.'),
        generation: { type: 'integer', format: 'int64', description: 'Counts the changes of spec.' },
        labels: textMap('Keys and values that objects are selected by.'),
        managedFields: {
          ...list(metaName('ManagedFieldsEntry'), 'Which manager has set which fields.'),
          'x-kubernetes-list-type': 'atomic',
        },
        name: text('The name of the object, unique among its kind in the namespace. It cannot change.'),
        namespace: text('The names of the resources above the object, joined by a colon.'),
        ownerReferences: {
          ...list(metaName('OwnerReference'), 'The objects that this one is deleted with.'),
          'x-kubernetes-list-map-keys': ['uid'],
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-patch-merge-key': 'uid',
          'x-kubernetes-patch-strategy': 'merge',
        },
        resourceVersion: text('Names the state of the object. Set by the server.'),
        selfLink: text('Not set.'),
        uid: text('Identifies the object for all time. Set by the server.'),
      },
    },
    [metaName('ListMeta')]: {
      type: 'object',
      description: 'The metadata that all lists have.',
      properties: {
        continue: text('The place of the next page; empty on the last one.'),
        remainingItemCount: { type: 'integer', format: 'int64', description: 'Not set.' },
        resourceVersion: text('The point of the change log that the list shows.'),
        selfLink: text('Not set.'),
      },
    },
    [metaName('Preconditions')]: {
      type: 'object',
      description: 'Conditions of a deletion.',
      properties: { resourceVersion: text('The state of the object.'), uid: text('The uid of the object.') },
    },
    [metaName('DeleteOptions')]: {
      type: 'object',
      description: 'How to delete an object.',
      properties: {
        apiVersion,
        kind,
        dryRun: texts('All, to check the request and change nothing.'),
        gracePeriodSeconds: { type: 'integer', format: 'int64', description: 'Ignored.' },
        preconditions: ref(metaName('Preconditions')),
        propagationPolicy: text('Background or Foreground.'),
      },
    },
    [scaleName]: {
      type: 'object',
      description: 'The number of replicas of an object.',
      'x-kubernetes-group-version-kind': [{ group: 'autoscaling', version: 'v1', kind: 'Scale' }],
      properties: {
        apiVersion,
        kind,
        metadata: ref(metaName('ObjectMeta')),
        spec: { type: 'object', properties: { replicas: count('The number that is wanted.') } },
        status: {
          type: 'object',
          properties: {
            replicas: count('The number that there is.'),
            selector: text('Selects what is counted.'),
          },
        },
      },
    },
    [metaName('Status')]: {
      type: 'object',
      description: 'The result of a request that returns no object.',
      properties: {
        apiVersion,
        kind,
        code: { type: 'integer', format: 'int32', description: 'The status code of HTTP.' },
        details: { type: 'object', description: 'The object of the result, with the causes of a refusal.' },
        message: text('A description, for people.'),
        metadata: ref(metaName('ListMeta')),
        reason: text('The reason, for programs.'),
        status: text('Success or Failure.'),
      },
    },
  };
}

/** The members of every object that come before those of its kind. */
export function typeMembers(): Record<string, object> {
  return { apiVersion, kind };
}
