import { Link, useParams } from '@tanstack/react-router';
import type { Kind, KindRegistry } from '../../api/kinds.ts';
import { useKinds } from '../../api/queries.ts';
import { useSpecSchema } from '../../api/spec-schema.ts';
import { Page } from '../../ui/page.tsx';
import { Empty, Failure, Loading } from '../../ui/states.tsx';
import { PlaceCrumbs } from '../table/place-crumbs.tsx';
import { CreatePanel } from './create-panel.tsx';

export function CreatePage() {
  const { group = '', plural = '' } = useParams({ strict: false });
  const kinds = useKinds();
  const kind = kinds.data?.byPlural(group, plural);
  if (kinds.data !== undefined && kind !== undefined) {
    return <CreateOfKind kind={kind} registry={kinds.data} />;
  }
  return (
    <Page title={`New in ${plural}`}>
      {kinds.error !== null ? (
        <Failure error={kinds.error} what="list kinds" retry={() => void kinds.refetch()} />
      ) : kinds.data === undefined ? (
        <Loading />
      ) : (
        <Empty title={`There is no kind ${plural}.${group}`}>
          <p className="muted">It was removed, or you may not see it.</p>
          <Link to="/kinds">All kinds</Link>
        </Empty>
      )}
    </Page>
  );
}

function CreateOfKind({ kind, registry }: { readonly kind: Kind; readonly registry: KindRegistry }) {
  const { version = '', _splat = '' } = useParams({ strict: false });
  const { schema, isPending } = useSpecSchema(kind, version, registry);
  const names = _splat.split('/').filter((name) => name !== '' && name !== '-');
  const ancestors = registry.ancestorsOf(kind) ?? [];
  return (
    <Page
      title={`New ${kind.kind}`}
      crumbs={<PlaceCrumbs ancestors={ancestors.slice(0, names.length)} names={names} registry={registry} />}
    >
      {isPending ? (
        <Loading />
      ) : (
        <CreatePanel
          kind={kind}
          registry={registry}
          spec={schema}
          version={version}
          ancestors={ancestors}
          initialNames={names}
        />
      )}
    </Page>
  );
}
