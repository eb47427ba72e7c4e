import type { TableState } from '../../live/messages.ts';
import { exactTime } from '../../logic/age.ts';
import type { State } from '../../logic/state.ts';
import { Icon } from '../../ui/icon.tsx';
import { StateBadge } from '../../ui/state-badge.tsx';

/** Whether the table is up to date, in words, with the way to hold it still. */
export function ConnectionState({
  state,
  onPause,
}: {
  readonly state: TableState;
  readonly onPause: (paused: boolean) => void;
}) {
  if (state.refusal !== null) return null;
  const { tone, text } = describe(state);
  return (
    <>
      <StateBadge state={tone}>{text}</StateBadge>
      {state.connection.at === 'live' ? (
        <button type="button" className="button quiet" onClick={() => onPause(!state.paused)}>
          <Icon name={state.paused ? 'play' : 'pause'} />
          {state.paused ? 'Go live' : 'Pause'}
        </button>
      ) : null}
    </>
  );
}

function describe({ connection, paused, size, complete }: TableState): { tone: State; text: string } {
  if (connection.at === 'cut') {
    const since = exactTime(new Date(connection.since).toISOString());
    const seconds = Math.max(1, Math.round(connection.retryMs / 1_000));
    return { tone: 'warning', text: `Not live since ${since}, retrying in ${seconds} s` };
  }
  if (connection.at === 'not-live') {
    const why = {
      forbidden: 'Not live: you may not watch',
      refused: 'Not live: reload to refresh',
      limit: 'Not live: too many rows',
      hidden: 'Not live',
      'signed-out': 'Not live: your session has ended',
    };
    return { tone: 'unknown', text: why[connection.why] };
  }
  if (paused) return { tone: 'unknown', text: 'Paused' };
  if (!complete)
    return {
      tone: 'progressing',
      text: size === 0 ? 'Loading' : `Loading, ${size.toLocaleString('en')} so far`,
    };
  return { tone: 'ready', text: 'Live' };
}
