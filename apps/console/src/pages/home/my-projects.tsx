import { Link } from '@tanstack/react-router';
import { ownerText, type Project } from '../../typed/kinds/project.ts';
import { useFew } from '../../typed/use-item.ts';
import { Card } from '../../ui/card.tsx';
import { Failure, Loading } from '../../ui/states.tsx';

/** Projects that are listed; the page of tenants has the others. */
const most = 8;

/** The projects of the caller, which need no binding. */
export function MyProjects() {
  const list = useFew<Project>('/api/v1/projects');
  const items = list.data?.items ?? [];
  return (
    <Card title="Your projects" flush actions={<Link to="/tenants">All projects</Link>}>
      {list.error !== null ? (
        <Failure error={list.error} what="list projects" retry={() => void list.refetch()} />
      ) : null}
      {list.isPending ? <Loading rows={2} /> : null}
      {list.isSuccess && items.length === 0 ? (
        <p className="state muted">You belong to no project. Its owner or an admin can add you.</p>
      ) : null}
      <ul className="rows">
        {items.slice(0, most).map((project) => (
          <li key={project.uid}>
            <Link className="grow" to="/tenants/$project" params={{ project: project.name }}>
              {project.name}
            </Link>
            <span className="muted">{ownerText(project)}</span>
          </li>
        ))}
      </ul>
      {items.length > most ? <p className="state muted">And {items.length - most} more.</p> : null}
    </Card>
  );
}
