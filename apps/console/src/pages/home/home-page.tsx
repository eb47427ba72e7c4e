import { useCaller } from '../../api/queries.ts';
import { Page } from '../../ui/page.tsx';
import { KindCounts } from './kind-counts.tsx';
import { MyProjects } from './my-projects.tsx';
import { RecentChanges } from './recent-changes.tsx';
import { StuckDeletions } from './stuck-deletions.tsx';
import { You } from './you.tsx';

/** Problems first, then the resources of each kind by number, then current changes; without the rights of an operator, the caller and their projects. */
export function HomePage() {
  const { data: caller } = useCaller();
  return (
    <Page title="Home">
      <div className="cards">
        <div className="stack">
          {caller?.operator ? <StuckDeletions /> : null}
          {caller === undefined || caller.operator ? null : <You caller={caller} />}
          {caller?.operator ? <RecentChanges /> : <MyProjects />}
        </div>
        <KindCounts />
      </div>
    </Page>
  );
}
