import { Link } from '@tanstack/react-router';
import { type Kind, type KindRegistry, preferredVersion } from '../../api/kinds.ts';
import { kindLink } from '../../app/links.ts';

/** The way to a place: each ancestor as a link to its own page, and for a resource its table. */
export function PlaceCrumbs({
  ancestors,
  names,
  registry,
  table,
}: {
  readonly ancestors: readonly Kind[];
  readonly names: readonly string[];
  readonly registry: KindRegistry;
  /** The kind of the resource that the page is about. */
  readonly table?: Kind;
}) {
  return (
    <nav aria-label="Place">
      <ol className="crumbs">
        <li>
          <Link to="/kinds">Kinds</Link>
        </li>
        {ancestors.map((kind, index) => {
          const name = names[index] ?? '-';
          const above = names.slice(0, index + 1);
          if (above.includes('-')) return <li key={kind.plural}>every {kind.kind}</li>;
          return (
            <li key={kind.plural}>
              <Link
                to="/r/$group/$version/$plural/$"
                params={{
                  group: kind.group,
                  version: preferredVersion(kind),
                  plural: kind.plural,
                  _splat: above.join('/'),
                }}
              >
                {name}
              </Link>
            </li>
          );
        })}
        {table === undefined ? null : (
          <li>
            <Link {...kindLink(registry, table, names)}>{table.plural}</Link>
          </li>
        )}
      </ol>
    </nav>
  );
}
