import { useNavigate, useSearch } from '@tanstack/react-router';
import { useId } from 'react';
import { definitionName, type KindRegistry } from '../../api/kinds.ts';
import { useKinds } from '../../api/queries.ts';
import { useScope } from '../../app/scope.ts';
import { Page } from '../../ui/page.tsx';
import { Failure, Loading } from '../../ui/states.tsx';
import { RemovedList } from './removed-list.tsx';

/** Resources that were removed within the retention of the change log, and the way to get them back. */
export function RemovedPage() {
  const kinds = useKinds();
  return (
    <Page title="Removed">
      {kinds.error !== null ? (
        <Failure error={kinds.error} what="list kinds" retry={() => void kinds.refetch()} />
      ) : kinds.data === undefined ? (
        <Loading />
      ) : (
        <RemovedOfKind registry={kinds.data} />
      )}
    </Page>
  );
}

function RemovedOfKind({ registry }: { readonly registry: KindRegistry }) {
  const { kind: chosen, in: scope = '' } = useSearch({ strict: false });
  const names = useScope();
  const navigate = useNavigate();
  const id = useId();
  const kind = registry.all.find((one) => definitionName(one) === chosen) ?? registry.all[0];
  const depth = kind === undefined ? 0 : (registry.ancestorsOf(kind)?.length ?? 0);
  return (
    <div className="stack">
      <div className="toolbar">
        <label htmlFor={id} className="label">
          Kind
        </label>
        <select
          id={id}
          className="input"
          value={kind === undefined ? '' : definitionName(kind)}
          onChange={({ target }) =>
            void navigate({ to: '.', search: (before) => ({ ...before, kind: target.value }) })
          }
        >
          {registry.all.map((one) => (
            <option key={definitionName(one)} value={definitionName(one)}>
              {definitionName(one)}
            </option>
          ))}
        </select>
        {depth === 0 ? null : <ScopeField key={scope} scope={scope} depth={depth} />}
      </div>
      {kind === undefined ? null : names.length < depth ? (
        <p className="state">
          {kind.plural} are removed below one place. Name it above,{' '}
          {depth === 1 ? 'one name' : `${depth} names with slashes`}.
        </p>
      ) : (
        <RemovedList kind={kind} registry={registry} ancestors={names.slice(0, depth)} />
      )}
    </div>
  );
}

function ScopeField({ scope, depth }: { readonly scope: string; readonly depth: number }) {
  const navigate = useNavigate();
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        const place = new FormData(event.currentTarget).get('place');
        void navigate({ to: '.', search: (before) => ({ ...before, in: String(place).trim() }) });
      }}
    >
      <input
        className="input mono"
        name="place"
        aria-label="Place, Enter applies"
        placeholder={depth === 1 ? 'acme' : 'acme/web'}
        defaultValue={scope}
      />
    </form>
  );
}
