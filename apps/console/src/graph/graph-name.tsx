import { Link } from '@tanstack/react-router';
import type { KindRegistry } from '../api/kinds.ts';
import { splitApiVersion } from '../api/resource.ts';
import { ResourceName } from '../ui/resource-name.tsx';
import { StateBadge } from '../ui/state-badge.tsx';
import type { GraphNode } from './graph.ts';

/** The name of a node: a resource with the link to its own graph, or a group with the link to its table. */
export function GraphName({
  node: { identity, table, title, kind },
  registry,
  tabIndex,
}: {
  readonly node: GraphNode;
  readonly registry: KindRegistry;
  readonly tabIndex?: number | undefined;
}) {
  if (identity !== null)
    return <ResourceName registry={registry} identity={identity} tab="graph" tabIndex={tabIndex} />;
  const known = table === null ? undefined : registry.byKind(table.apiVersion, kind);
  if (table === null || known === undefined) return title;
  const { group, version } = splitApiVersion(table.apiVersion);
  return (
    <Link
      to="/r/$group/$version/$plural/$"
      params={{ group, version, plural: known.plural, _splat: table.names.join('/') }}
      tabIndex={tabIndex}
    >
      {title}
    </Link>
  );
}

/** Says that a resource is being deleted, or how many of a group are. */
export function GraphState({ node: { deleting, identity } }: { readonly node: GraphNode }) {
  if (deleting === 0) return null;
  const text = identity === null ? { children: `${deleting.toLocaleString('en')} deleting` } : {};
  return <StateBadge state="deleting" {...text} />;
}
