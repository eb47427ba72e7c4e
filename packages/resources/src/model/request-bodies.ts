import { isPlainObject, maxFaults } from '@platform/kernel';
import { z } from 'zod';
import { maxParentChain } from './definition.ts';
import { labelFaults } from './labels.ts';
import { finalizerName, resourceName } from './names.ts';
import { maxOwnerReferences, ownerReference } from './owner-reference.ts';

/** Any JSON object. The raw text of the request is stored, so the parsed value is not copied. */
export const jsonObject = z.custom<Record<string, unknown>>(isPlainObject, 'must be an object');

const annotations = jsonObject.superRefine((value, context) => {
  const faulty = Object.keys(value).filter((key) => typeof value[key] !== 'string');
  for (const key of faulty.slice(0, maxFaults + 1))
    context.addIssue({ code: 'custom', path: [key], message: 'must be a string' });
});

const labels = jsonObject.superRefine((value, context) => {
  for (const { path, message } of labelFaults(value)) context.addIssue({ code: 'custom', path, message });
});

/** The most names in one list of finalizers, with those that are there twice. */
export const maxSentFinalizers = 1000;

// Attack: a list of half a million faulty entries, each of which is validated. A list that is too long is refused before.
const clientMetadata = {
  name: resourceName,
  labels: labels.optional(),
  annotations: annotations.optional(),
  finalizers: z.array(finalizerName).max(maxSentFinalizers).optional(),
  ownerReferences: z.array(ownerReference).max(maxOwnerReferences).optional(),
};

/** The members of `metadata` that clients set, besides the name. */
export const clientMembers: ReadonlySet<string> = new Set(
  Object.keys(clientMetadata).filter((member) => member !== 'name'),
);

/** Absent. An explicit null counts as absent for the fields that are null before they are set. */
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
    ancestors: setByServer,
    creationTimestamp: setByServer,
    deletionTimestamp: setByServer,
    managedFields: setByServer,
  }),
  spec: jsonObject.optional(),
  status: notHere,
});

/** No stored revision reaches 2^53. A larger number is a conflict, like any other wrong revision. */
const revision = z.number().refine(Number.isInteger, 'must be an integer');

/** The body of an item PUT. It may contain fields that the server sets; they are compared with the row. */
export const replaceBody = z.strictObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.strictObject({
    ...clientMetadata,
    uid: z.string().nullish(),
    revision: revision.nullish(),
    generation: z.number().nullish(),
    discriminator: z.string().nullish(),
    ancestors: z.array(z.string()).max(maxParentChain).nullish(),
    creationTimestamp: z.string().nullish(),
    deletionTimestamp: z.string().nullish(),
    managedFields: z.array(z.unknown()).nullish(),
  }),
  spec: jsonObject.optional(),
  status: notHere,
});

/** The configuration of a server-side apply. */
export const applyBody = z.strictObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.strictObject({
    ...clientMetadata,
    revision: revision.optional(),
    managedFields: z.undefined('is set by the server').optional(),
  }),
  spec: jsonObject.optional(),
  status: notHere,
});

/** The body of PUT .../status. */
export const statusBody = z.strictObject({
  status: z.unknown().refine((value) => value !== undefined, 'is required'),
});

/** The configuration of a server-side apply of a status slot. */
export const applyStatusBody = z.strictObject({
  apiVersion: z.string().optional(),
  kind: z.string().optional(),
  metadata: z.strictObject({ name: resourceName.optional() }).optional(),
  status: z.unknown().refine((value) => value !== undefined, 'is required'),
});

/** The body of POST .../restore. */
export const restoreBody = z.strictObject({
  dryRun: z.boolean('must be true or false').default(false),
  dependents: z.boolean('must be true or false').default(true),
  name: resourceName.optional(),
});

/** The body of PUT .../finalizers. */
export const finalizersBody = z.strictObject({
  add: z.array(finalizerName).max(maxSentFinalizers).default([]),
  remove: z.array(finalizerName).max(maxSentFinalizers).default([]),
});
