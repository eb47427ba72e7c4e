import { Link, useNavigate } from '@tanstack/react-router';
import { RequestError } from '../../api/http.ts';
import type { CollectionPlace } from '../../api/resource.ts';
import type { Refusal } from '../../live/messages.ts';
import { Icon } from '../../ui/icon.tsx';
import { Failure } from '../../ui/states.tsx';

/** Why a list is not shown, and the ways that are left. */
export function RefusedTable({
  refusal,
  place: { group, version, plural, ancestors },
  onRetry,
}: {
  readonly refusal: Refusal;
  readonly place: CollectionPlace;
  readonly onRetry: () => void;
}) {
  const { status, problem, requestId, path } = refusal;
  const error = new RequestError({ method: 'GET', path }, status, problem, requestId);
  const navigate = useNavigate();
  return (
    <>
      <Failure error={error} what={`list ${plural} here`} retry={onRetry} />
      <div className="toolbar">
        {ancestors.includes('-') ? null : (
          <OpenByName
            plural={plural}
            onOpen={(name) =>
              void navigate({
                to: '/r/$group/$version/$plural/$',
                params: { group, version, plural, _splat: [...ancestors, name].join('/') },
              })
            }
          />
        )}
        {ancestors.every((name) => name === '-') ? null : (
          <Link
            className="button"
            to="/r/$group/$version/$plural"
            params={{ group, version, plural }}
            search={{ in: undefined }}
          >
            <Icon name="search" />
            Search everywhere
          </Link>
        )}
        <Link to="/kinds" className="button">
          All kinds
        </Link>
      </div>
    </>
  );
}

/** Somebody may get a resource without being allowed to list its siblings. */
function OpenByName({
  plural,
  onOpen,
}: {
  readonly plural: string;
  readonly onOpen: (name: string) => void;
}) {
  return (
    <form
      className="with-label"
      onSubmit={(event) => {
        event.preventDefault();
        const name = String(new FormData(event.currentTarget).get('name')).trim();
        if (name !== '') onOpen(name);
      }}
    >
      <input
        className="input mono"
        name="name"
        aria-label={`Name of one of the ${plural}`}
        placeholder="name"
      />
      <button type="submit" className="button">
        Open by name
      </button>
    </form>
  );
}
