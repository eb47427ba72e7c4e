import {
  type JsonObject,
  type LabelRequirement,
  matchesLabels,
  parseLabelSelector,
} from '@platform/resources';
import type { KubernetesKind } from './kind.ts';

/** The label of every Namespace, with its name. It is shown and not stored, so it cannot differ from the name. */
export const namespaceLabel = 'kubernetes.io/metadata.name';

/** The metadata of a sent Namespace without its label; that of other kinds as it is. */
export function withoutNamespaceLabel(metadata: JsonObject, { form }: KubernetesKind): JsonObject {
  const labels = metadata.get('labels');
  if (form !== 'namespace' || !(labels instanceof Map) || !labels.has(namespaceLabel)) return metadata;
  return new Map(metadata).set('labels', new Map([...labels].filter(([key]) => key !== namespaceLabel)));
}

/** A label selector of Namespaces: what stored labels are selected by, and which names the label lets through. */
export interface NamespaceSelector {
  readonly labelSelector: string | null;
  /** The only name that can match, or null when there may be several. */
  readonly name: string | null;
  matches(name: string): boolean;
}

/** Takes the terms about the label out of a selector; null when it has none. Throws `SelectorFault`. */
export function namespaceSelector(text: string): NamespaceSelector | null {
  const requirements = parseLabelSelector(text);
  const own = requirements.filter(({ key }) => key === namespaceLabel);
  if (own.length === 0) return null;
  const others = requirements.filter(({ key }) => key !== namespaceLabel).map(textOf);
  const [only] = own.filter(({ operator, values }) => operator === 'in' && values.length === 1);
  return {
    labelSelector: others.length === 0 ? null : others.join(','),
    name: only?.values[0] ?? null,
    matches: (name) => matchesLabels(own, { [namespaceLabel]: name }),
  };
}

function textOf({ key, operator, values }: LabelRequirement): string {
  switch (operator) {
    case 'in':
      return `${key} in (${values.join(',')})`;
    case 'notIn':
      return `${key} notin (${values.join(',')})`;
    case 'exists':
      return key;
    case 'doesNotExist':
      return `!${key}`;
    case 'gt':
      return `${key} > ${values[0]}`;
    case 'lt':
      return `${key} < ${values[0]}`;
  }
}
