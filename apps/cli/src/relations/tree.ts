import type { Resource } from 'platform-service-client';
import type { Catalog } from '../kinds/catalog.ts';
import { ageOf } from '../output/format.ts';
import { type Identity, Labels, type Plan, type Planned, relationOf } from './deletion-plan.ts';

/** Draws a resource with everything below it and everything it owns, one line each, from its deletion plan. */
export function drawTree(
  catalog: Catalog,
  { kind, apiVersion, metadata }: Resource,
  plan: Plan,
  now: number,
): string {
  const { uid, name, ancestors } = metadata;
  const root: Identity = { apiVersion, kind, name, uid, parentUid: null };
  const labels = new Labels(catalog, [root, ...plan.resources]).learn(uid, [...ancestors, name]);
  const below = new Map<string, Planned[]>();
  for (const planned of plan.resources) {
    const owner = planned.because.owner?.uid ?? uid;
    below.set(owner, [...(below.get(owner) ?? []), planned]);
  }
  const draw = (identity: Identity, suffix: string): string[] => {
    const children = [...(below.get(identity.uid) ?? [])].sort(childrenFirst);
    return [
      `${labels.of(identity)}${suffix}`,
      ...children.flatMap((child, position) => {
        const last = position === children.length - 1;
        const [first, ...rest] = draw(child, `  ${relationOf(child.because)}${holdOf(child)}`);
        const indent = last ? '   ' : '│  ';
        return [`${last ? '└─ ' : '├─ '}${first}`, ...rest.map((text) => `${indent}${text}`)];
      }),
    ];
  };
  return `${draw(root, stateOf(metadata, now)).join('\n')}\n`;
}

/** Children before dependents, each by kind and name, because the plan has no order. */
function childrenFirst(a: Planned, b: Planned): number {
  const text = (planned: Planned) =>
    `${planned.because.relationship === 'structuralChild' ? 0 : 1}/${planned.kind}/${planned.name}`;
  return text(a) < text(b) ? -1 : 1;
}

function stateOf({ deletionTimestamp, finalizers }: Resource['metadata'], now: number): string {
  if (deletionTimestamp === undefined) return '';
  const suffix = finalizers.length === 0 ? '' : `, finalizers: ${finalizers.join(', ')}`;
  return `  deleting for ${ageOf(deletionTimestamp, now)}${suffix}`;
}

/** The reasons of the resource itself; those of the resources below it are in their lines. */
function holdOf({ uid, heldBy }: Planned): string {
  const own = heldBy.find(({ resource }) => resource.uid === uid);
  if (own === undefined) return '';
  const finalizers = own.finalizers.length === 0 ? '' : `  finalizers: ${own.finalizers.join(', ')}`;
  return `${finalizers}${own.protected ? '  protected' : ''}`;
}
