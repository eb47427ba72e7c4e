import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { nounOf, type TypedItem } from '../../typed/kind.ts';
import { useItem } from '../../typed/use-item.ts';
import { Crumbs } from '../../ui/crumbs.tsx';
import { Page } from '../../ui/page.tsx';
import { Failure, Loading } from '../../ui/states.tsx';
import { ChildActions } from './child-actions.tsx';
import type { ChildPageProps } from './child-kind.ts';
import { ItemFacts } from './item-facts.tsx';
import { childPath } from './paths.ts';

/** The page of something below a project: its facts, with edit and delete. */
export function ChildFrame<T extends TypedItem>({
  child,
  project,
  name,
  blocker,
  buttons,
  children = (item) => <ItemFacts item={item} facts={child.facts?.(item) ?? []} />,
}: ChildPageProps<T> & {
  /** Why it cannot be deleted yet, and what to delete first. */
  readonly blocker?: ReactNode;
  /** Its actions besides edit and delete. */
  readonly buttons?: (item: T) => ReactNode;
  /** In place of its facts. */
  readonly children?: (item: T) => ReactNode;
}) {
  const { collection, kind, tab, title } = child;
  const noun = nounOf(kind);
  const item = useItem<T>(childPath(project, collection, name));
  return (
    <Page
      title={name}
      tab={`${name}, ${noun}`}
      crumbs={
        <Crumbs>
          <Link to="/tenants">Projects</Link>
          <Link to="/tenants/$project" params={{ project }}>
            {project}
          </Link>
          <Link to="/tenants/$project" params={{ project }} search={{ tab }}>
            {title}
          </Link>
        </Crumbs>
      }
      actions={
        item.data === undefined ? null : (
          <ChildActions child={child} project={project} item={item.data} blocker={blocker}>
            {buttons?.(item.data)}
          </ChildActions>
        )
      }
    >
      {item.error !== null ? (
        <Failure error={item.error} what={`see this ${noun}`} retry={() => void item.refetch()} />
      ) : item.data === undefined ? (
        <Loading />
      ) : (
        children(item.data)
      )}
    </Page>
  );
}
