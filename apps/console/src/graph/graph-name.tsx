import { Link } from '@tanstack/react-router';
import type { KindRegistry } from '../api/kinds.ts';
import { splitApiVersion } from '../api/resource.ts';
import { ResourceName } from '../ui/resource-name.tsx';
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
