import { useCaller } from '../../api/queries.ts';
import { Page } from '../../ui/page.tsx';
import { KindCounts } from './kind-counts.tsx';
import { MyProjects } from './my-projects.tsx';
import { RecentChanges } from './recent-changes.tsx';
import { StuckDeletions } from './stuck-deletions.tsx';
import { You } from './you.tsx';

/** What needs attention first, then how much there is of each kind, then what happens right now; for others who they are and what is theirs. */
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
