import { useKinds } from '../../api/queries.ts';
import { Card } from '../../ui/card.tsx';
import { ResourceName } from '../../ui/resource-name.tsx';
import { StateBadge } from '../../ui/state-badge.tsx';
import { Age } from '../../ui/time.tsx';
import { useChanges } from './use-changes.ts';

/** What happens on the whole platform while the page is open. */
export function RecentChanges() {
  const kinds = useKinds();
  const { changes, isLive } = useChanges();
  return (
    <Card
      title="Changes"
      flush
      actions={
        isLive ? (
          <StateBadge state="ready">Live</StateBadge>
        ) : (
          <StateBadge state="unknown">Connecting</StateBadge>
        )
      }
    >
      {changes.length === 0 ? <p className="state muted">No change since this page was opened.</p> : null}
      <ul className="rows">
        {kinds.data === undefined
          ? null
          : changes.map(({ object, operation, actor, time, cursor }) => (
              <li key={cursor}>
                <span className="grow">
                  <ResourceName
                    registry={kinds.data}
                    identity={{ ...object, name: object.metadata.name, uid: object.metadata.uid }}
                  />
                  <div className="muted">
                    {operation} by {actor?.id ?? 'unknown'}
                  </div>
                </span>
                {time === undefined ? null : <Age time={time} />}
              </li>
            ))}
      </ul>
    </Card>
  );
}
