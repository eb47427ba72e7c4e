import type { Fault } from '@platform/kernel';
import type { Caller } from '../model/caller.ts';
import { type SchemaRef, schemaRef } from '../model/definition.ts';
import { definitionSpec } from '../model/definition-spec.ts';
import { type JsonDocument, schemaTexts } from '../model/json-document.ts';
import { versionOf } from '../model/names.ts';
import { identityOf, type Resource, type ResourceIdentity } from '../model/resource.ts';
import type { RequestContext, ResourcePorts } from './request.ts';
import { seesAll, visibleTo } from './visibility.ts';

/** A stored resource that would not be valid, with its faults. */
export interface InvalidSample {
  readonly resource: ResourceIdentity;
  readonly errors: readonly Fault[];
}

/** The effect of a changed definition on the resources that are stored at one version, and that the caller may `get`. */
export interface VersionImpact {
  /** Stored resources, terminating ones included. */
  readonly rows: number;
  /** The number of stored resources that the new schema of their version refuses. */
  readonly invalid: number;
  /** Some of the refused resources. */
  readonly samples: readonly InvalidSample[];
}

/** The effect of a changed definition. */
export interface DefinitionImpact {
  /** By version: every version that is declared or has resources. */
  readonly versions: ReadonlyMap<string, VersionImpact>;
  /** Whether every resource was looked at: false when the caller may not `get` some, or the time was over. */
  readonly complete: boolean;
}

/** The most resources that are counted and validated. */
const maxRows = 200_000;
/** Resources that are read at a time: a spec may have a megabyte. */
const pageSize = 50;
/** Resources whose places are read at a time. */
const visibilityPage = 1_000;
const maxSamples = 10;
const maxFaults = 20;

/** Validates the stored resources of a kind by the schemas of a definition that would replace the stored one, while `mayGoOn` says so. */
export async function impactOfDefinition(
  ports: Pick<ResourcePorts, 'reader' | 'schemas'>,
  { caller }: Pick<RequestContext, 'caller'>,
  body: JsonDocument,
  mayGoOn: () => boolean,
): Promise<DefinitionImpact> {
  const { spec: value } = body.value as { readonly spec: unknown };
  const spec = definitionSpec.parse(value);
  const schemas = schemaRefs(
    body.raw('/spec') ?? '{}',
    spec.versions.map(({ name }) => name),
  );
  const versions = new Map(
    spec.versions.map(({ name }) => [name, { rows: 0, invalid: 0, samples: [] as InvalidSample[] }]),
  );
  const stored = await ports.reader.instancesOf(spec, maxRows + 1);
  const instances = await visibleInstances(ports, caller, stored.slice(0, maxRows), mayGoOn);
  for (const { apiVersion } of instances) {
    const version = versionOf(apiVersion);
    const impact = versions.get(version) ?? { rows: 0, invalid: 0, samples: [] };
    versions.set(version, impact);
    impact.rows += 1;
  }
  let complete = instances.length === stored.length;
  // Nothing refuses the resources of a version without schema, so they need not be read.
  const checked = instances.filter(({ apiVersion }) => schemas.get(versionOf(apiVersion)) !== null);
  for (let start = 0; start < checked.length; start += pageSize) {
    if (!mayGoOn()) {
      complete = false;
      break;
    }
    const uids = checked.slice(start, start + pageSize).map(({ uid }) => uid);
    for (const row of await ports.reader.resources(uids)) {
      const errors = await faultsOf(ports.schemas, schemas.get(versionOf(row.apiVersion)), row);
      const impact = versions.get(versionOf(row.apiVersion));
      if (errors.length === 0 || impact === undefined) continue;
      impact.invalid += 1;
      if (impact.samples.length < maxSamples)
        impact.samples.push({ resource: identityOf(row), errors: errors.slice(0, maxFaults) });
    }
  }
  return { versions, complete };
}

/**
 * The instances that the caller may `get`.
 *
 * Attack: somebody who may change a definition and not read its resources asks with one schema after the other how many it refuses, and so
 * learns what is in them.
 */
async function visibleInstances<T extends { readonly uid: string }>(
  { reader }: Pick<ResourcePorts, 'reader'>,
  caller: Caller,
  instances: readonly T[],
  mayGoOn: () => boolean,
): Promise<readonly T[]> {
  if (seesAll(caller)) return instances;
  const visible: T[] = [];
  for (let start = 0; start < instances.length && mayGoOn(); start += visibilityPage) {
    const page = instances.slice(start, start + visibilityPage);
    visible.push(...page.filter(await visibleTo({ reader }, caller, page)));
  }
  return visible;
}

/** The schema of each declared version; null where it has none. */
function schemaRefs(spec: string, names: readonly string[]): ReadonlyMap<string, SchemaRef | null> {
  const texts = schemaTexts(spec, names.length);
  return new Map(names.map((name, index) => [name, schemaRef(texts[index])]));
}

async function faultsOf(
  schemas: ResourcePorts['schemas'],
  schema: SchemaRef | null | undefined,
  { name, spec: text }: Resource,
): Promise<readonly Fault[]> {
  if (schema === null) return [];
  if (schema === undefined) return [{ path: '', message: 'its version is not declared any more' }];
  const faults = await schemas.validate(schema, { value: JSON.parse(text), text }, { name, before: null });
  return faults.map(({ path, message }) => ({ path: `/spec${path}`, message }));
}
