import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useCaller } from '../../api/queries.ts';
import type { HistoryEntry } from '../../api/resource.ts';
import type { HistoryGroup } from '../../logic/history.ts';
import { Icon, type IconName } from '../../ui/icon.tsx';
import { Age } from '../../ui/time.tsx';

const icons: Readonly<Record<string, IconName>> = {
  create: 'plus',
  restore: 'plus',
  delete: 'bin',
  cascade: 'bin',
  collect: 'bin',
  status: 'operations',
};

/** One entry, or a run of entries that opens on demand. */
export function HistoryGroupRow({
  group,
  selected,
  onSelect,
}: {
  readonly group: HistoryGroup;
  readonly selected: number;
  readonly onSelect: (range: string) => void;
}) {
  const [open, setOpen] = useState(false);
  const [first] = group.entries;
  if (first === undefined) return null;
  if (group.entries.length === 1 || open) {
    return group.entries.map((entry) => (
      <EntryRow
        key={`${entry.revision}-${entry.removed}`}
        entry={entry}
        isSelected={entry.revision === selected}
        onSelect={onSelect}
      />
    ));
  }
  const last = group.entries.at(-1) ?? first;
  return (
    <li>
      <Icon name={icons[first.operation] ?? 'edit'} />
      <span className="grow">
        {first.operation}, {group.entries.length} times, revisions {last.revision} to {first.revision}
        <span className="muted"> {first.actor.id}</span>
      </span>
      <button type="button" className="button quiet" onClick={() => setOpen(true)}>
        Show all
      </button>
      <Age time={first.time} />
    </li>
  );
}

function EntryRow({
  entry,
  isSelected,
  onSelect,
}: {
  readonly entry: HistoryEntry;
  readonly isSelected: boolean;
  readonly onSelect: (range: string) => void;
}) {
  const { revision, operation, actor, reason, time, removed, requestId } = entry;
  const { data: caller } = useCaller();
  return (
    <li>
      <Icon name={icons[operation] ?? 'edit'} />
      <span className="grow">
        {removed ? 'removed' : operation}
        <span className="muted">
          {' '}
          by {actor.id} ({actor.type})
        </span>
        {reason === undefined ? null : <div>Reason: {reason}</div>}
      </span>
      {requestId !== null && caller?.operator ? (
        <Link to="/ops/audit" search={({ in: scope }) => ({ in: scope, requestId })}>
          Request<span className="visually-hidden"> of revision {revision} in the audit</span>
        </Link>
      ) : null}
      <button
        type="button"
        className="button quiet"
        aria-pressed={isSelected}
        aria-label={`Show the changes of revision ${revision}`}
        onClick={() => onSelect(`${revision - 1}..${revision}`)}
      >
        {revision}
      </button>
      <Age time={time} />
    </li>
  );
}
