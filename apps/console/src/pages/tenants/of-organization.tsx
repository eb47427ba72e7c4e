import { Link } from '@tanstack/react-router';
import { ownerText, type Project } from '../../typed/kinds/project.ts';
import type { Team } from '../../typed/kinds/team.ts';
import { useFew } from '../../typed/use-item.ts';
import { Card } from '../../ui/card.tsx';
import { Failure, Loading } from '../../ui/states.tsx';

interface Owned {
  readonly uid: string;
  readonly name: string;
  readonly organization: string;
}

export function ProjectsOf({ organization }: { readonly organization: string }) {
  return (
    <ListOf<Project>
      title="Projects"
      path="/api/v1/projects"
      belongs={(project) => project.organization === organization}
      row={(project) => (
        <>
          <Link className="grow" to="/tenants/$project" params={{ project: project.name }}>
            {project.name}
          </Link>
          <span className="muted">{ownerText(project)}</span>
        </>
      )}
    />
  );
}

export function TeamsOf({ organization }: { readonly organization: string }) {
  return (
    <ListOf<Team>
      title="Teams"
      path="/api/v1/teams"
      belongs={(team) => team.organization === organization}
      row={(team) => (
        <>
          <Link className="grow" to="/tenants/teams/$team" params={{ team: team.name }}>
            {team.name}
          </Link>
          <span className="muted">
            {team.members.length === 1 ? 'one member' : `${team.members.length} members`}
          </span>
        </>
      )}
    />
  );
}

/** Those of a list that belong to something. The API lists them all, in pages. */
export function ListOf<T extends Owned>({
  title,
  path,
  belongs,
  row,
}: {
  readonly title: string;
  readonly path: string;
  readonly belongs: (item: T) => boolean;
  readonly row: (item: T) => React.ReactNode;
}) {
  const list = useFew<T>(path);
  const items = list.data?.items.filter(belongs) ?? [];
  return (
    <Card title={title} flush>
      {list.error !== null ? <Failure error={list.error} what={`list ${title.toLowerCase()}`} /> : null}
      {list.isPending ? <Loading rows={2} /> : null}
      {list.isSuccess && items.length === 0 ? <p className="state muted">None that you may see.</p> : null}
      <ul className="rows">
        {items.map((item) => (
          <li key={item.uid}>{row(item)}</li>
        ))}
      </ul>
      {list.data?.more ? <p className="state muted">There are more than were looked through.</p> : null}
    </Card>
  );
}
