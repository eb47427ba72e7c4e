import { losslessJson } from '../json.ts';
import type { LocatedResource } from '../kinds/list-resources.ts';
import { isItem, labelOf, type Target } from '../kinds/target.ts';
import { rendered } from './custom.ts';
import type { GetOutput } from './format.ts';
import { resourceTable } from './resource-table.ts';
import { toYaml } from './yaml.ts';

/** One line or document for a resource that changed or was removed while `--watch` runs. */
export function showChange(
  located: LocatedResource,
  target: Target,
  { end, output, now }: { readonly end: string | null; readonly output: GetOutput; readonly now: number },
): string {
  if (typeof output === 'object') {
    const item = documentOf(located);
    const text = rendered(output, item, { items: [item], headers: false });
    return text.endsWith('\n') ? text : `${text}\n`;
  }
  switch (output) {
    case 'json':
      return losslessJson.pretty(documentOf(located));
    case 'yaml':
      return `---\n${toYaml(documentOf(located))}`;
    case 'name':
      return `${nameOf(located, target)}${end === null ? '' : ` ${end}`}\n`;
    default: {
      if (end !== null) return `${nameOf(located, target)} ${end}\n`;
      return resourceTable([located], target, { now, wide: output === 'wide', headers: false });
    }
  }
}

/** The resources that `get` has found, as text in the requested format. */
export function showResources(
  all: readonly LocatedResource[],
  target: Target,
  { output, headers }: { readonly output: GetOutput; readonly headers: boolean },
  now: number,
): string {
  if (typeof output === 'object')
    return rendered(output, shownValue(all, target), { items: all.map(documentOf), headers });
  switch (output) {
    case 'json':
      return losslessJson.pretty(shownValue(all, target));
    case 'yaml':
      return all.map((located) => toYaml(documentOf(located))).join('---\n');
    case 'name':
      return all.map((located) => `${nameOf(located, target)}\n`).join('');
    default:
      return resourceTable(all, target, { now, wide: output === 'wide', headers });
  }
}

/** The resource in the form that `apply` reads: with `in`, because the envelope does not contain the ancestors. */
export function documentOf({ ancestors, resource }: LocatedResource): object {
  return ancestors.length === 0 ? resource : { in: ancestors.join('/'), ...resource };
}

/** The document of one resource, or the list of all. */
export function shownValue(all: readonly LocatedResource[], target: Target): object | undefined {
  return isItem(target) ? all.map(documentOf)[0] : listOf(all, target);
}

function listOf(all: readonly LocatedResource[], { kind }: Target): object {
  const items = all.map(documentOf);
  const version = all[0]?.resource.apiVersion ?? kind.group;
  return { apiVersion: version, kind: `${kind.kind}List`, items };
}

function nameOf({ ancestors, resource }: LocatedResource, { kind, uid }: Target): string {
  const { name } = resource.metadata;
  return uid === undefined ? labelOf(kind.kind, [...ancestors, name]) : labelOf(kind.kind, [`uid:${uid}`]);
}
