import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useItem } from '../../typed/use-item.ts';
import { Crumbs } from '../../ui/crumbs.tsx';
import { Page } from '../../ui/page.tsx';
import { Failure, Loading } from '../../ui/states.tsx';
import { type CollectionName, childPath, collections } from './collections.ts';

export interface ChildProps {
  readonly project: string;
  readonly name: string;
}

/** The frame of the page of something below a project. */
export function ChildFrame<T>({
  project,
  name,
  collection,
  actions,
  children,
}: ChildProps & {
  readonly collection: CollectionName;
  readonly actions: (item: T) => ReactNode;
  readonly children: (item: T) => ReactNode;
}) {
  const { noun, tab, title } = collections[collection];
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
      actions={item.data === undefined ? null : actions(item.data)}
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
