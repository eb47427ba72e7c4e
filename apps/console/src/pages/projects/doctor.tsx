import { useQuery } from '@tanstack/react-query';
import { request } from '../../api/http.ts';
import type { State } from '../../logic/state.ts';
import type { Schemas } from '../../typed/kind.ts';
import { ActionButton } from '../../ui/action-button.tsx';
import { Card } from '../../ui/card.tsx';
import { Icon } from '../../ui/icon.tsx';
import { StateBadge } from '../../ui/state-badge.tsx';
import { Failure, Loading } from '../../ui/states.tsx';
import { ExactTime } from '../../ui/time.tsx';

type Diagnosis = Schemas['Diagnosis'];
type Result = Diagnosis['checks'][number]['result'];

const tones: Readonly<Record<Result, readonly [State, string]>> = {
  ok: ['ready', 'Passed'],
  warning: ['warning', 'Warning'],
  failed: ['failed', 'Failed'],
  note: ['unknown', 'Noted'],
};

/** The checks of an extension in order, each with what was found and what to do. */
export function Doctor({ path, name }: { readonly path: string; readonly name: string }) {
  const diagnosis = useQuery({
    queryKey: ['doctor', path],
    queryFn: ({ signal }) => request<Diagnosis>(path, { signal }),
    retry: false,
  });
  const { data, isFetching, dataUpdatedAt } = diagnosis;
  const again = (
    <ActionButton className="button" isBusy={isFetching} onClick={() => void diagnosis.refetch()}>
      <Icon name="refresh" />
      Run again<span className="visually-hidden"> for {name}</span>
    </ActionButton>
  );
  return (
    <Card title="Doctor" flush actions={again}>
      {diagnosis.error === null ? null : (
        <Failure error={diagnosis.error} what="run the doctor" retry={() => void diagnosis.refetch()} />
      )}
      {data === undefined && isFetching ? (
        <>
          <p className="state muted">Asking the provider…</p>
          <Loading rows={3} />
        </>
      ) : null}
      {data === undefined ? null : (
        <>
          <p className="state" role="status">
            <span>
              <StateBadge state={data.healthy ? 'ready' : 'failed'}>
                {data.healthy ? 'Healthy' : 'Not healthy'}
              </StateBadge>{' '}
              {summaryOf(data)}, checked <ExactTime time={new Date(dataUpdatedAt).toISOString()} />
            </span>
          </p>
          <ol className="rows checks">
            {data.checks.map((check) => (
              <li key={`${check.name} ${check.detail}`}>
                <StateBadge state={tones[check.result][0]}>{tones[check.result][1]}</StateBadge>
                <span className="grow">
                  <strong>{check.name}</strong> {check.detail}
                  {check.remedy === undefined ? null : <div>To do: {check.remedy}</div>}
                </span>
              </li>
            ))}
          </ol>
        </>
      )}
    </Card>
  );
}

function summaryOf({ checks }: Diagnosis): string {
  return (Object.keys(tones) as Result[])
    .map((result) => [checks.filter((check) => check.result === result).length, tones[result][1]] as const)
    .filter(([count]) => count > 0)
    .map(([count, word]) => `${count} ${word.toLowerCase()}`)
    .join(', ');
}
