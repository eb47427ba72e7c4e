import { useQueries } from '@tanstack/react-query';
import { DeleteDialog } from '../../typed/delete-dialog.tsx';
import type { TypedItem } from '../../typed/kind.ts';
import type { Project } from '../../typed/kinds/project.ts';
import { type Few, few } from '../../typed/use-item.ts';
import { Failure, Loading } from '../../ui/states.tsx';
import { collections } from './collections.tsx';
import { collectionPathOf } from './paths.ts';

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
  const below = useQueries({
    queries: collections.map(({ name }) => few<TypedItem>(collectionPathOf(project.name, name))),
  });
  const error = below.map((list) => list.error).find((one) => one !== null);
  const isPending = below.some((list) => list.isPending);
  return (
    <DeleteDialog noun="project" item={project} isBlocked={isPending} needsName {...dialog}>
      {error === undefined ? null : <Failure error={error} what="list what is below this project" />}
      {isPending ? (
        <Loading />
      ) : (
        <>
          <p>It also deletes:</p>
          <dl className="facts">
            {collections.map(({ name, title }, index) => (
              <div key={name} className="fact">
                <dt>{title}</dt>
                <dd>{countAndNames(below[index]?.data)}</dd>
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

/** Names that are listed; the count has all of them. */
const most = 5;

/** `list` is undefined when it could not be read. */
function countAndNames(list: Few<TypedItem> | undefined) {
  if (list === undefined) return 'unknown';
  const { items, more } = list;
  const names = items.slice(0, most).map(({ name }) => name);
  return (
    <>
      <strong>
        {items.length}
        {more ? '+' : ''}
      </strong>{' '}
      {[...names, ...(items.length > most ? [`${items.length - most} more`] : [])].join(', ')}
    </>
  );
}
