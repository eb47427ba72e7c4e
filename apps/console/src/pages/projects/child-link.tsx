import { Link } from '@tanstack/react-router';
import type { CollectionName } from './collections.ts';

/** The way to the page of something below a project. */
export function ChildLink({
  project,
  collection,
  name,
}: {
  readonly project: string;
  readonly collection: CollectionName;
  readonly name: string;
}) {
  return (
    <Link to="/tenants/$project/$collection/$name" params={{ project, collection, name }}>
      {name}
    </Link>
  );
}
