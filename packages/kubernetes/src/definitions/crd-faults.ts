import type { Fault } from '@platform/kernel';
import { type JsonObject, kindPattern, stringOf } from '@platform/resources';
import { scaleFaults } from './scale-paths.ts';
import { statusFieldFaults } from './status-fields.ts';
import { isGiven, isTrue, objectOf, objectsOf, step } from './values.ts';

/** The members of an object that the platform stores. */
const storedMembers = ['apiVersion', 'kind', 'metadata', 'spec', 'status'];

/** The most characters of the kind of lists: those of a label of the DNS, as in Kubernetes. */
const maxListKind = 63;

/** Every fault of a CustomResourceDefinition outside of its schemas, as far as a ResourceDefinition would not show it. */
export function crdFaults(crd: JsonObject): Fault[] {
  const spec = objectOf(crd.get('spec'));
  if (spec === undefined) return [{ path: '/spec', message: 'is required', reason: 'FieldValueRequired' }];
  const scope = stringOf(spec.get('scope'));
  const faults: Fault[] = [];
  if (scope !== 'Namespaced' && scope !== 'Cluster')
    faults.push({ path: '/spec/scope', message: 'must be Namespaced or Cluster' });
  const names = objectOf(spec.get('names'));
  if (names === undefined)
    faults.push({ path: '/spec/names', message: 'is required', reason: 'FieldValueRequired' });
  else faults.push(...listKindFaults(names));
  if (isTrue(spec.get('preserveUnknownFields')))
    faults.push({
      path: '/spec/preserveUnknownFields',
      message: 'must be false; use x-kubernetes-preserve-unknown-fields in the schema',
    });
  faults.push(...conversionFaults(objectOf(spec.get('conversion'))));
  const versions = objectsOf(spec.get('versions'));
  if (versions.length === 0)
    faults.push({ path: '/spec/versions', message: 'must have at least one version' });
  versions.forEach((version, index) => {
    faults.push(...rootFaults(version, `/spec/versions/${index}/schema/openAPIV3Schema`));
    faults.push(...scaleFaults(version, `/spec/versions/${index}`));
    faults.push(...statusFieldFaults(version, `/spec/versions/${index}`));
  });
  return faults;
}

function listKindFaults(names: JsonObject): Fault[] {
  if (!isGiven(names.get('listKind'))) return [];
  const path = '/spec/names/listKind';
  const listKind = stringOf(names.get('listKind')) ?? '';
  if (!kindPattern.test(listKind) || listKind.length > maxListKind)
    return [{ path, message: `must be UpperCamelCase ASCII, with at most ${maxListKind} characters` }];
  return listKind === stringOf(names.get('kind')) ? [{ path, message: 'must not be the kind itself' }] : [];
}

function conversionFaults(conversion: JsonObject | undefined): Fault[] {
  const strategy = stringOf(conversion?.get('strategy')) ?? 'None';
  if (strategy === 'None') return [];
  return [
    {
      path: '/spec/conversion/strategy',
      message: `must be None: the platform stores documents as they are written and calls no conversion webhook`,
    },
  ];
}

function rootFaults(version: JsonObject, pointer: string): Fault[] {
  const root = objectOf(objectOf(version.get('schema'))?.get('openAPIV3Schema'));
  if (root === undefined) return [{ path: pointer, message: 'is required', reason: 'FieldValueRequired' }];
  const faults: Fault[] = [];
  if (stringOf(root.get('type')) !== 'object')
    faults.push({ path: `${pointer}/type`, message: 'must be object' });
  for (const name of objectOf(root.get('properties'))?.keys() ?? [])
    if (!storedMembers.includes(name))
      faults.push({
        path: step(`${pointer}/properties`, name),
        message: `${name} cannot be stored: the platform stores spec and status only`,
      });
  for (const keyword of ['additionalProperties', 'allOf', 'anyOf', 'oneOf', 'not'])
    if (root.has(keyword))
      faults.push({
        path: step(pointer, keyword),
        message: 'is not enforced around spec; move it into the schema of spec',
      });
  return faults;
}

/** The place in a CustomResourceDefinition that a place in the `spec` of a ResourceDefinition was made from. */
export function crdPointer(pointer: string): string {
  return pointer
    .replace(/^(\/spec\/versions\/\d+\/schema)\/x-kubernetes-version\/schema/, '$1/openAPIV3Schema')
    .replace(
      /^\/spec\/versions\/(\d+)\/schema(?!\/openAPIV3Schema)/,
      '/spec/versions/$1/schema/openAPIV3Schema/properties/spec',
    )
    .replace(/^\/spec\/(kind|plural|singular|shortNames|categories)(?=\/|$)/, '/spec/names/$1')
    .replace(/^\/spec\/parent(?=\/|$).*/, '/spec/scope');
}
