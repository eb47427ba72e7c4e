import { useNavigate, useSearch } from '@tanstack/react-router';
import { definitionName, type KindRegistry } from '../../api/kinds.ts';
import { useKinds } from '../../api/queries.ts';
import { KindMenu } from '../../app/kind-menu.tsx';
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
  const kind = registry.all.find((one) => definitionName(one) === chosen) ?? registry.all[0];
  const depth = kind === undefined ? 0 : (registry.ancestorsOf(kind)?.length ?? 0);
  return (
    <div className="stack">
      <div className="toolbar filters">
        <div className="field">
          <span className="label">Kind</span>
          <KindMenu
            registry={registry}
            chosen={kind}
            onChoose={(one) =>
              void navigate({ to: '.', search: (before) => ({ ...before, kind: definitionName(one) }) })
            }
          />
        </div>
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
      <label className="field">
        <span className="label">
          Place<span className="visually-hidden">, Enter applies</span>
        </span>
        <input
          className="input mono"
          name="place"
          placeholder={depth === 1 ? 'acme' : 'acme/web'}
          defaultValue={scope}
        />
      </label>
    </form>
  );
}
