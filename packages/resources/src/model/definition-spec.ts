import { dnsLabelPattern } from '@platform/kernel';
import { z } from 'zod';
import { kindNames, selectableFault, versionDisplay } from './definition-display.ts';
import { dnsSubdomainPattern, kindPattern, maxNameLength, versionNamePattern } from './names.ts';
import { jsonObject } from './request-bodies.ts';
import type { Resource } from './resource.ts';

const group = z.string().max(maxNameLength).regex(dnsSubdomainPattern, 'must be a DNS subdomain');
const kind = z.string().max(63).regex(kindPattern, 'must be UpperCamelCase ASCII');

/** The most versions of one definition. */
export const maxVersions = 100;

/** `spec` of a ResourceDefinition. Rules that need other rows are in `rules/validate-definition.ts`. */
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
          ...versionDisplay,
        }),
      )
      .min(1, 'must have at least one version')
      .max(maxVersions, `must have at most ${maxVersions} versions`),
    ...kindNames,
    allowedStatusControllerIds: z.array(z.string().min(1).max(253)).max(1000).default([]),
  })
  .superRefine(
    ({ versions }, context) => {
      versions.forEach(({ schema, selectableFields = [] }, version) => {
        selectableFields.forEach(({ jsonPath }, index) => {
          const message = schema == null ? null : selectableFault(jsonPath, schema);
          const path = ['versions', version, 'selectableFields', index, 'jsonPath'];
          if (message !== null) context.addIssue({ code: 'custom', path, message });
        });
      });
      const fault = (message: string) => context.addIssue({ code: 'custom', path: ['versions'], message });
      if (new Set(versions.map(({ name }) => name)).size !== versions.length)
        fault('must name each version once');
      if (versions.filter(({ storage }) => storage).length !== 1)
        fault('must have exactly one version with storage: true');
      if (!versions.some(({ served }) => served)) fault('must have at least one version with served: true');
    },
    // Also with faults elsewhere, so that a client learns all of them at once.
    { when: ({ value }) => legibleVersions.safeParse(value).success },
  );

/** The members of versions that rules between them look at. */
const legibleVersions = z.object({
  versions: z
    .array(
      z.object({
        name: z.string(),
        served: z.boolean(),
        storage: z.boolean(),
        selectableFields: z.array(z.object({ jsonPath: z.string() })).optional(),
      }),
    )
    .min(1)
    .max(maxVersions),
});

/** A validated `spec` of a ResourceDefinition. */
export type DefinitionSpec = z.output<typeof definitionSpec>;

/** The spec of a stored definition. It was validated when it was written. */
export function storedDefinitionSpec(row: Resource): DefinitionSpec {
  const spec = JSON.parse(row.spec) as DefinitionSpec;
  return { ...spec, allowedStatusControllerIds: spec.allowedStatusControllerIds ?? [] };
}
