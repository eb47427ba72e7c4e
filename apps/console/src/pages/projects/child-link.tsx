import { Link } from '@tanstack/react-router';

/** The way to the page of something below a project. */
export function ChildLink({
  project,
  collection,
  name,
}: {
  readonly project: string;
  readonly collection: string;
  readonly name: string;
}) {
  return (
    <Link to="/tenants/$project/$collection/$name" params={{ project, collection, name }}>
      {name}
    </Link>
  );
}
