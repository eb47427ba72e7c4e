import { useQuery } from '@tanstack/react-query';
import type { components } from 'platform-service-client/api-types';
import { request } from '../../api/http.ts';
import type { State } from '../../logic/state.ts';
import { Icon } from '../../ui/icon.tsx';
import { StateBadge } from '../../ui/state-badge.tsx';
import { Failure, Loading } from '../../ui/states.tsx';

type Diagnosis = components['schemas']['Diagnosis'];

const tones: Readonly<Record<Diagnosis['checks'][number]['result'], State>> = {
  ok: 'ready',
  warning: 'warning',
  failed: 'failed',
  note: 'unknown',
};

/** The checks of an extension in order, each with what was found and what to do. It runs when it is asked to. */
export function Doctor({ path, name }: { readonly path: string; readonly name: string }) {
  const diagnosis = useQuery({
    queryKey: ['doctor', path],
    queryFn: ({ signal }) => request<Diagnosis>(path, { signal }),
    enabled: false,
    retry: false,
  });
  return (
    <div className="stack">
      <div>
        <button
          type="button"
          className="button"
          disabled={diagnosis.isFetching}
          onClick={() => void diagnosis.refetch()}
        >
          <Icon name="play" />
          Run the doctor<span className="visually-hidden"> of {name}</span>
        </button>
      </div>
      {diagnosis.isFetching ? <Loading rows={2} /> : null}
      {diagnosis.error === null ? null : <Failure error={diagnosis.error} what="run the doctor" />}
      <ol className="rows">
        {(diagnosis.data?.checks ?? []).map((check) => (
          <li key={`${check.name} ${check.detail}`}>
            <StateBadge state={tones[check.result]}>{check.result}</StateBadge>
            <span className="grow">
              {check.name}: {check.detail}
              {check.remedy === undefined ? null : <div className="muted">{check.remedy}</div>}
            </span>
          </li>
        ))}
      </ol>
    </div>
  );
}
