import { useEffect, useState } from 'react';
import { useKinds } from '../../api/queries.ts';
import type { WatchChange } from '../../api/resource.ts';
import { followFromNow } from '../../live/follow-from-now.ts';
import { Card } from '../../ui/card.tsx';
import { ResourceName } from '../../ui/resource-name.tsx';
import { StateBadge } from '../../ui/state-badge.tsx';
import { Failure, Loading } from '../../ui/states.tsx';
import { Age } from '../../ui/time.tsx';
import { useEarlierChanges } from './use-earlier.ts';

/** The changes that the card has room for. */
const most = 12;

const words = { connecting: 'Connecting', live: 'Live', cut: 'Not live' } as const;
const tones = { connecting: 'unknown', live: 'ready', cut: 'warning' } as const;

/** The latest changes on the whole platform, and what happens while the page is open. */
export function RecentChanges() {
  const { data: registry } = useKinds();
  const { changes, connection } = useChanges();
  const { earlier, isPending, error, refetch } = useEarlierChanges(most);
  const live = changes.map(({ object, operation, actor, time, cursor }) => ({
    id: cursor ?? '',
    operation,
    actor: actor?.id ?? 'unknown',
    time,
    identity: { ...object, name: object.metadata.name, uid: object.metadata.uid },
  }));
  const shown = [...live, ...earlier].slice(0, most);
  return (
    <Card
      title="Changes"
      flush
      actions={<StateBadge state={tones[connection]}>{words[connection]}</StateBadge>}
    >
      {shown.length > 0 ? null : error !== null ? (
        <Failure error={error} what="read earlier changes" retry={() => void refetch()} />
      ) : isPending ? (
        <Loading />
      ) : (
        <p className="state muted">No change lately.</p>
      )}
      <ul className="rows">
        {registry === undefined
          ? null
          : shown.map(({ id, identity, operation, actor, time }) => (
              <li key={id}>
                <span className="grow">
                  <ResourceName registry={registry} identity={identity} />
                  <div className="muted">
                    {operation} by {actor}
                  </div>
                </span>
                {time === undefined ? null : <Age time={time} />}
              </li>
            ))}
      </ul>
    </Card>
  );
}

type Connection = 'connecting' | 'live' | 'cut';

/** The changes of every kind since the page was opened, newest first. */
function useChanges(): { readonly changes: readonly WatchChange[]; readonly connection: Connection } {
  const [changes, setChanges] = useState<readonly WatchChange[]>([]);
  const [connection, setConnection] = useState<Connection>('connecting');
  useEffect(() => {
    const stop = new AbortController();
    const handlers = {
      live: () => setConnection('live'),
      cut: () => setConnection('cut'),
      change: (event: WatchChange) => setChanges((before) => [event, ...before].slice(0, most)),
      refused: () => setConnection('cut'),
    };
    void followFromNow('/api/v1/changes?view=metadata', handlers, stop.signal).catch(() =>
      setConnection('cut'),
    );
    return () => stop.abort();
  }, []);
  return { changes, connection };
}
