import { useCaller } from '../../api/queries.ts';
import { Page } from '../../ui/page.tsx';
import { KindCounts } from './kind-counts.tsx';
import { RecentChanges } from './recent-changes.tsx';
import { StuckDeletions } from './stuck-deletions.tsx';

/** What needs attention first, then how much there is of each kind, then what happens right now. Each card fails alone. */
export function HomePage() {
  const { data: caller } = useCaller();
  return (
    <Page title="Home">
      <div className="cards">
        {caller?.operator ? <StuckDeletions /> : null}
        <KindCounts />
        {caller?.operator ? <RecentChanges /> : null}
      </div>
    </Page>
  );
}
