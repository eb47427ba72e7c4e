import { useParams } from '@tanstack/react-router';
import { useSpecSchema } from '../../api/built-in-schema.ts';
import type { Kind, KindRegistry } from '../../api/kinds.ts';
import { useKinds } from '../../api/queries.ts';
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
  const { schema, isPending } = useSpecSchema(kind, version);
  const names = _splat.split('/').filter((name) => name !== '' && name !== '-');
  const ancestors = registry.ancestorsOf(kind) ?? [];
  return (
    <Page
      title={`New ${kind.kind}`}
      crumbs={<PlaceCrumbs ancestors={ancestors} names={names} registry={registry} />}
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
