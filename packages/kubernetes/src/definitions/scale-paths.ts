import type { Fault } from '@platform/kernel';
import { type JsonObject, stringOf } from '@platform/resources';
import type { ScalePaths } from '../model/kind.ts';
import { versionKeyword } from './object-schema.ts';
import { objectOf, step } from './values.ts';

const member = '[A-Za-z_][A-Za-z0-9_-]*';

/**
 * The paths of a scale subresource: members alone, as in Kubernetes, so that there is one value to read and to write. Attack: a path of a
 * hundred thousand members, which exhausts the stack when the number of replicas is written there.
 */
const length = '(?=.{1,1000}$)';
const forms = {
  specReplicasPath: { pattern: new RegExp(`^${length}\\.spec(?:\\.${member})+$`), isRequired: true },
  statusReplicasPath: { pattern: new RegExp(`^${length}\\.status(?:\\.${member})+$`), isRequired: true },
  labelSelectorPath: {
    pattern: new RegExp(`^${length}\\.(?:spec|status)(?:\\.${member})+$`),
    isRequired: false,
  },
} as const;

type PathName = keyof typeof forms;

const messages: Readonly<Record<PathName, string>> = {
  specReplicasPath: 'should be a json path under .spec, without array notation',
  statusReplicasPath: 'should be a json path under .status, without array notation',
  labelSelectorPath: 'should be a json path under either .spec or .status, without array notation',
};

/** Every fault of the scale subresource of a version of a CustomResourceDefinition. */
export function scaleFaults(version: JsonObject, pointer: string): Fault[] {
  const scale = objectOf(objectOf(version.get('subresources'))?.get('scale'));
  if (scale === undefined) return [];
  return (Object.keys(forms) as PathName[]).flatMap((name) => {
    const { pattern, isRequired } = forms[name];
    const sent = scale.get(name);
    const path = step(`${pointer}/subresources/scale`, name);
    if (sent === undefined || sent === 'null')
      return isRequired ? [{ path, message: 'is required', reason: 'FieldValueRequired' }] : [];
    return pattern.test(stringOf(sent) ?? '') ? [] : [{ path, message: messages[name] }];
  });
}

type Parsed = Readonly<Record<string, unknown>> | undefined;

const memberOf = (value: Parsed, name: string) => value?.[name] as Parsed;

function keptScale(schema: unknown): Parsed {
  if (typeof schema !== 'object' || schema === null) return undefined;
  return memberOf(memberOf(memberOf(schema as Parsed, versionKeyword), 'subresources'), 'scale');
}

/** The scale subresource of a version, from its stored schema; null when it has none. */
export function scalePathsOf(schema: unknown): ScalePaths | null {
  const scale = keptScale(schema);
  const read = (name: PathName) => {
    const text = scale?.[name];
    return typeof text === 'string' && forms[name].pattern.test(text) ? text.split('.').slice(1) : null;
  };
  const [spec, status] = [read('specReplicasPath'), read('statusReplicasPath')];
  return spec === null || status === null ? null : { spec, status, selector: read('labelSelectorPath') };
}

/** The part of a stored schema that {@link scalePathsOf} reads; undefined when it has none. */
export function scaleOutline(schema: unknown): Record<string, unknown> | undefined {
  const scale = keptScale(schema);
  return scale === undefined ? undefined : { [versionKeyword]: { subresources: { scale } } };
}
