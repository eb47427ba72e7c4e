import { Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import type { Kind, KindRegistry } from '../../api/kinds.ts';
import type { CollectionPlace } from '../../api/resource.ts';
import { useLiveResource } from '../../live/use-live-resource.ts';
import { stateOf } from '../../logic/state.ts';
import { visibleText } from '../../logic/visible-text.ts';
import { Icon } from '../../ui/icon.tsx';
import { ReportedState, StateBadge } from '../../ui/state-badge.tsx';
import { Failure, Loading } from '../../ui/states.tsx';
import { OverviewTab } from '../resource/overview-tab.tsx';

/** One resource next to its table, live; the table stays where it is. */
export function SidePanel({
  kind,
  registry,
  place: { group, version, plural },
  uid,
  onClose,
}: {
  readonly kind: Kind;
  readonly registry: KindRegistry;
  readonly place: CollectionPlace;
  readonly uid: string;
  readonly onClose: () => void;
}) {
  useEffect(() => focusRows, []);
  const place = { group, version, plural, names: [`uid:${uid}`] };
  const { resource, error, retry, isRemoved } = useLiveResource(place);
  const name = visibleText(resource?.metadata.name ?? '');
  return (
    <aside className="side-panel" aria-label={name === '' ? kind.kind : `${kind.kind} ${name}`}>
      <header>
        <h2>{name}</h2>
        {resource === undefined ? null : isRemoved ? (
          <StateBadge state="deleting">Removed</StateBadge>
        ) : (
          <ReportedState state={stateOf(resource)} />
        )}
        <span className="spring" />
        {resource === undefined ? null : (
          <Link
            className="button"
            to="/r/$group/$version/$plural/$"
            params={{
              group,
              version,
              plural,
              // Its name leads to nothing any more, or to another resource.
              _splat: isRemoved
                ? `uid:${uid}`
                : [...resource.metadata.ancestors, resource.metadata.name].join('/'),
            }}
            search={({ in: scope }) => ({ in: scope })}
            aria-label={`Open the page of ${name}`}
          >
            Open
          </Link>
        )}
        <button type="button" className="button quiet" aria-label="Close the panel" onClick={onClose}>
          <Icon name="close" />
        </button>
      </header>
      {resource === undefined ? (
        error === null ? (
          <Loading rows={6} />
        ) : (
          <Failure error={error} what={`get this ${kind.kind}`} retry={retry} />
        )
      ) : (
        <OverviewTab
          kind={kind}
          registry={registry}
          place={place}
          resource={resource}
          isRemoved={isRemoved}
          may={() => undefined}
        />
      )}
    </aside>
  );
}

/** The focus that was in the panel goes back to the rows. */
function focusRows(): void {
  if (document.activeElement !== document.body) return;
  document.querySelector<HTMLElement>('[role=grid]')?.focus({ preventScroll: true });
}
