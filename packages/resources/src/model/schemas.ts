import { dnsLabelPattern } from '@platform/kernel';
import { z } from 'zod';
import {
  dnsSubdomainPattern,
  finalizerName,
  kindPattern,
  maxNameLength,
  resourceName,
  versionNamePattern,
} from './names.ts';
import { ownerReference } from './owner-reference.ts';

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Any JSON object. It is judged here and stored as its raw text, so the parsed value is left as it is. */
const jsonObject = z.custom<Record<string, unknown>>(isObject, 'must be an object');

const annotations = jsonObject.superRefine((value, context) => {
  for (const key of Object.keys(value)) {
    if (typeof value[key] !== 'string')
      context.addIssue({ code: 'custom', path: [key], message: 'must be a string' });
  }
});

const clientMetadata = {
  name: resourceName,
  annotations: annotations.optional(),
  finalizers: z.array(finalizerName).optional(),
  ownerReferences: z.array(ownerReference).optional(),
};

/** Absent; an explicit null says the same for the fields that the specification calls nullable. */
const setByServer = z.null('is set by the server').optional();
const notHere = z.undefined('is written through the status subresource').optional();

/** The body of a create. */
export const createBody = z.strictObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.strictObject({
    ...clientMetadata,
    uid: setByServer,
    revision: setByServer,
    generation: setByServer,
    discriminator: setByServer,
    creationTimestamp: setByServer,
    deletionTimestamp: setByServer,
  }),
  spec: jsonObject.optional(),
  status: notHere,
});

/** The body of an item PUT. What the server sets may be sent back; that it is unchanged is checked against the row. */
export const replaceBody = z.strictObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.strictObject({
    ...clientMetadata,
    uid: z.string().nullish(),
    revision: z.int('must be an integer').nullish(),
    generation: z.number().nullish(),
    discriminator: z.string().nullish(),
    creationTimestamp: z.string().nullish(),
    deletionTimestamp: z.string().nullish(),
  }),
  spec: jsonObject.optional(),
  status: notHere,
});

/** The body of PUT .../status. */
export const statusBody = z.strictObject({
  status: z.unknown().refine((value) => value !== undefined, 'is required'),
});

/** The body of PUT .../finalizers. */
export const finalizersBody = z.strictObject({
  add: z.array(finalizerName).max(1000).default([]),
  remove: z.array(finalizerName).max(1000).default([]),
});

/** `spec` of an Organization: three known strings, and whatever else. */
export const organizationSpec = z.looseObject({
  deploymentControllerClass: z.string().optional(),
  displayName: z.string().optional(),
  description: z.string().optional(),
});

const group = z.string().max(maxNameLength).regex(dnsSubdomainPattern, 'must be a DNS subdomain');
const kind = z.string().max(63).regex(kindPattern, 'must be UpperCamelCase ASCII');

/** `spec` of a ResourceDefinition (specification, "ResourceDefinition"); what depends on other rows is checked by the rules. */
export const definitionSpec = z
  .strictObject({
    group,
    kind,
    plural: z.string().regex(dnsLabelPattern, 'must be a DNS label'),
    parent: z
      .strictObject({
        apiVersion: z.string().regex(/^[^/]{1,253}\/[a-z0-9]+$/, 'must be <group>/<version>'),
        kind,
      })
      .nullish(),
    versions: z
      .array(
        z.strictObject({
          name: z.string().max(63).regex(versionNamePattern, 'must be lower-case letters and digits'),
          served: z.boolean(),
          storage: z.boolean(),
          schema: z
            .union([jsonObject, z.boolean()], 'must be a JSON Schema: an object or a boolean')
            .nullish(),
        }),
      )
      .min(1, 'must have at least one version')
      .max(100, 'must have at most 100 versions'),
    allowedStatusControllerIds: z.array(z.string().min(1).max(253)).max(1000).default([]),
  })
  .superRefine(({ versions }, context) => {
    const fault = (message: string) => context.addIssue({ code: 'custom', path: ['versions'], message });
    if (new Set(versions.map(({ name }) => name)).size !== versions.length)
      fault('must name each version once');
    if (versions.filter(({ storage }) => storage).length !== 1)
      fault('must have exactly one version with storage: true');
    if (!versions.some(({ served }) => served)) fault('must have at least one version with served: true');
  });

/** A validated `spec` of a ResourceDefinition. */
export type DefinitionSpec = z.output<typeof definitionSpec>;
