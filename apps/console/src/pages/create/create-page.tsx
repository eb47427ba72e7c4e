import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { Kind, KindRegistry } from '../../api/kinds.ts';
import { definitionQuery, useKinds } from '../../api/queries.ts';
import { Page } from '../../ui/page.tsx';
import { Empty, Failure, Loading } from '../../ui/states.tsx';
import { PlaceCrumbs } from '../table/place-crumbs.tsx';
import { CreatePanel } from './create-panel.tsx';

export function CreatePage() {
  const { group = '', plural = '' } = useParams({ strict: false });
  const kinds = useKinds();
  const kind = kinds.data?.byPlural(group, plural);
  if (kinds.error !== null) return <Failure error={kinds.error} what="list kinds" />;
  if (kinds.data === undefined) return <Loading />;
  if (kind === undefined) return <Empty title={`There is no kind ${plural}.${group}`} />;
  return <CreateOfKind kind={kind} registry={kinds.data} />;
}

function CreateOfKind({ kind, registry }: { readonly kind: Kind; readonly registry: KindRegistry }) {
  const { version = '', _splat = '' } = useParams({ strict: false });
  const definition = useQuery({ ...definitionQuery(kind), retry: false });
  const names = _splat.split('/').filter((name) => name !== '' && name !== '-');
  const ancestors = registry.ancestorsOf(kind) ?? [];
  return (
    <Page
      title={`New ${kind.kind}`}
      crumbs={<PlaceCrumbs ancestors={ancestors} names={names} registry={registry} />}
    >
      {definition.isPending ? (
        <Loading />
      ) : (
        <CreatePanel
          kind={kind}
          registry={registry}
          definition={definition.data ?? null}
          version={version}
          ancestors={ancestors}
          initialNames={names}
        />
      )}
    </Page>
  );
}
