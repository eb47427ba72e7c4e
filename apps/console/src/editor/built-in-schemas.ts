import type { Schema } from './schema-help.ts';

const text: Schema = { type: 'string' };
const texts: Schema = { type: 'array', items: text };

const reference = (description: string): Schema => ({
  type: 'object',
  description,
  required: ['apiVersion', 'kind', 'name', 'uid'],
  properties: { apiVersion: text, kind: text, name: text, uid: text },
});

const role: Schema = {
  type: 'object',
  required: ['rules'],
  properties: {
    rules: {
      type: 'array',
      description: 'Everything that is listed in a rule is allowed with everything else in it.',
      items: {
        type: 'object',
        required: ['apiGroups', 'resources', 'verbs'],
        properties: {
          apiGroups: { ...texts, description: 'Groups of kinds; * for each.' },
          resources: { ...texts, description: 'Plurals, or plural/subresource; * for each.' },
          resourceNames: { ...texts, description: 'Only resources with these names.' },
          verbs: {
            type: 'array',
            items: {
              enum: ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'restore', '*'],
            },
          },
        },
      },
    },
  },
};

const roleBinding: Schema = {
  type: 'object',
  required: ['roleRef', 'subjects'],
  properties: {
    roleRef: {
      type: 'object',
      required: ['name'],
      properties: { name: { ...text, description: 'The name of a role.' } },
    },
    subjects: {
      type: 'array',
      items: {
        type: 'object',
        required: ['kind', 'name'],
        properties: {
          kind: { enum: ['User', 'Group', 'ServiceAccount', 'Controller'] },
          name: { ...text, description: 'An e-mail address, a group, or the id of a controller.' },
        },
      },
    },
    scope: reference('The binding covers this resource and everything below it; everything without it.'),
  },
};

const subscription: Schema = {
  type: 'object',
  required: ['url', 'secret'],
  properties: {
    url: { ...text, description: 'An https URL that takes CloudEvents.' },
    secret: { ...text, description: 'Base64 of 24 to 64 bytes. It is sealed, and never shown again.' },
    suspend: { type: 'boolean', description: 'Nothing is delivered while it is true.' },
    selector: {
      type: 'object',
      properties: {
        kinds: { ...texts, description: 'Kind or Kind.group; every kind without it.' },
        labelSelector: { ...text, description: 'Such as tier=web.' },
        scope: reference('Only this resource and everything below it.'),
      },
    },
  },
};

const column: Schema = {
  type: 'object',
  required: ['name', 'type', 'jsonPath'],
  properties: {
    name: text,
    type: { enum: ['string', 'integer', 'number', 'boolean', 'date'] },
    jsonPath: { ...text, description: 'Such as .spec.size.' },
    description: text,
    priority: { type: 'integer', description: 'Above 0, the column is for wide tables.' },
  },
};

const resourceDefinition: Schema = {
  type: 'object',
  required: ['group', 'kind', 'plural', 'versions'],
  properties: {
    group: text,
    kind: text,
    plural: text,
    singular: text,
    description: text,
    shortNames: texts,
    categories: texts,
    parent: {
      type: 'object',
      description: 'The kind above; a kind without it is at the root.',
      required: ['apiVersion', 'kind'],
      properties: { apiVersion: text, kind: text },
    },
    allowedStatusControllerIds: texts,
    versions: {
      type: 'array',
      items: {
        type: 'object',
        required: ['name', 'served', 'storage', 'schema'],
        properties: {
          name: text,
          served: { type: 'boolean' },
          storage: { type: 'boolean', description: 'Exactly one version is stored.' },
          schema: { description: 'The JSON Schema (Draft 2020-12) of spec.' },
          additionalPrinterColumns: { type: 'array', items: column },
          selectableFields: {
            type: 'array',
            items: { type: 'object', required: ['jsonPath'], properties: { jsonPath: text } },
          },
        },
      },
    },
  },
};

/** What the kinds of the platform look like, for the form and the completion; the server checks more. */
export const builtInSchemas: ReadonlyMap<string, Schema> = new Map([
  ['Organization', { type: 'object', properties: {} }],
  ['ResourceDefinition', resourceDefinition],
  ['Role', role],
  ['RoleBinding', roleBinding],
  ['Subscription', subscription],
]);
