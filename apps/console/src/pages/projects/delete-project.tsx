import { DeleteDialog } from '../../typed/delete-dialog.tsx';
import type { TypedItem } from '../../typed/kind.ts';
import type { Project } from '../../typed/kinds/project.ts';
import { useFew } from '../../typed/use-item.ts';
import { Failure, Loading } from '../../ui/states.tsx';
import { type CollectionName, collectionPathOf, collections } from './collections.ts';

/** A project goes with everything below it, so the dialog lists that first. */
export function DeleteProject({
  project,
  ...dialog
}: {
  readonly project: Project;
  readonly path: string;
  readonly onDeleted: () => void;
  readonly onClose: () => void;
}) {
  const below = {
    environments: useBelow(project.name, 'environments'),
    deployments: useBelow(project.name, 'deployments'),
    'service-accounts': useBelow(project.name, 'service-accounts'),
    extensions: useBelow(project.name, 'extensions'),
  };
  const lists = Object.entries(below) as [CollectionName, (typeof below)[CollectionName]][];
  const error = lists.map(([, list]) => list.error).find((one) => one !== null);
  const isPending = lists.some(([, list]) => list.isPending);
  return (
    <DeleteDialog noun="project" item={project} isBlocked={isPending} needsName {...dialog}>
      {error === undefined ? null : <Failure error={error} what="list what is below this project" />}
      {isPending ? (
        <Loading />
      ) : (
        <>
          <p>It also deletes:</p>
          <dl className="facts">
            {lists.map(([name, { data }]) => (
              <div key={name} className="fact">
                <dt>{collections[name].title}</dt>
                <dd>
                  <strong>
                    {data?.items.length ?? 0}
                    {data?.more ? '+' : ''}
                  </strong>{' '}
                  {namesOf(data?.items ?? [])}
                </dd>
              </div>
            ))}
          </dl>
        </>
      )}
      <p>
        At once: deployments lose their credentials, tokens of service accounts end, and nobody can log in
        through its extensions. The name stays reserved, for 30 days unless it is configured otherwise.
      </p>
    </DeleteDialog>
  );
}

function useBelow(project: string, collection: CollectionName) {
  return useFew<TypedItem>(collectionPathOf(project, collection));
}

/** Names that are listed; the count has all of them. */
const most = 5;

function namesOf(items: readonly TypedItem[]): string {
  const names = items.slice(0, most).map(({ name }) => name);
  return [...names, ...(items.length > most ? [`${items.length - most} more`] : [])].join(', ');
}
