import { Link, useParams } from '@tanstack/react-router';
import { ancestorsInScope } from '../../api/kinds.ts';
import { useKinds } from '../../api/queries.ts';
import { Page } from '../../ui/page.tsx';
import { Empty, Failure, Loading } from '../../ui/states.tsx';
import { ResourcePage } from '../resource/resource-page.tsx';
import { TablePage } from '../table/table-page.tsx';

/** Chooses between the table and the resource by the number of names. */
export function PlacePage() {
  const { group = '', version = '', plural = '', _splat = '' } = useParams({ strict: false });
  const kinds = useKinds();
  if (kinds.error !== null || kinds.data === undefined) {
    return (
      <Page title={plural}>
        {kinds.error === null ? (
          <Loading />
        ) : (
          <Failure error={kinds.error} what="list kinds" retry={() => void kinds.refetch()} />
        )}
      </Page>
    );
  }
  const kind = kinds.data.byPlural(group, plural);
  if (kind === undefined) {
    return (
      <Page title={plural}>
        <Empty title={`There is no kind ${plural}.${group}`}>
          <p className="muted">It was removed, or you may not see it.</p>
          <Link to="/kinds">All kinds</Link>
        </Empty>
      </Page>
    );
  }
  const names = _splat.split('/').filter((name) => name !== '');
  const depth = kinds.data.ancestorsOf(kind)?.length ?? 0;
  const [first] = names;
  if (first?.startsWith('uid:') || names.length === depth + 1) {
    const place = { group, version, plural, names };
    return (
      <ResourcePage
        key={[group, plural, ...names].join('/')}
        kind={kind}
        registry={kinds.data}
        place={place}
      />
    );
  }
  const place = { group, version, plural, ancestors: ancestorsInScope(depth, names) };
  const key = [group, plural, ...place.ancestors].join('/');
  return <TablePage key={key} kind={kind} registry={kinds.data} place={place} />;
}
