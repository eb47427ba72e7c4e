import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { Kind } from '../../api/kinds.ts';
import type { CollectionPlace } from '../../api/resource.ts';
import { Empty } from '../../ui/states.tsx';

/** Why the table is empty, and what to do about it. */
export function EmptyTable({
  kind,
  place,
  size,
}: {
  readonly kind: Kind;
  readonly place: CollectionPlace;
  /** Resources before the text filter. */
  readonly size: number;
}) {
  const { labels, fields } = useSearch({ strict: false });
  const navigate = useNavigate();
  if (size > 0 || labels !== undefined || fields !== undefined) {
    return (
      <Empty title="No resource matches the filters">
        <button
          type="button"
          className="button"
          onClick={() => void navigate({ to: '.', search: ({ in: scope }) => ({ in: scope }) })}
        >
          Clear filters
        </button>
      </Empty>
    );
  }
  const isNarrowed = place.ancestors.some((name) => name !== '-');
  return (
    <Empty title={`No ${kind.plural} here`}>
      <p className="muted">On the command line:</p>
      <pre>platform create -f {kind.singular ?? kind.kind.toLowerCase()}.yaml</pre>
      {isNarrowed ? (
        <Link
          className="button"
          to="/r/$group/$version/$plural"
          params={{ group: place.group, version: place.version, plural: place.plural }}
          search={{}}
        >
          Search everywhere
        </Link>
      ) : null}
    </Empty>
  );
}
