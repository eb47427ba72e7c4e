import { Page } from '../../ui/page.tsx';
import { TabSet } from '../../ui/tab-set.tsx';
import { OrganizationsTab } from './organizations-tab.tsx';
import { ProjectsTab } from './projects-tab.tsx';
import { TeamsTab } from './teams-tab.tsx';

/** Whom the platform is shared by: organizations, with their projects and teams. */
export function TenantsPage() {
  return (
    <Page title="Tenants">
      <TabSet
        label="Tenants"
        tabs={[
          { id: 'projects', label: 'Projects', content: () => <ProjectsTab /> },
          { id: 'teams', label: 'Teams', content: () => <TeamsTab /> },
          { id: 'organizations', label: 'Organizations', content: () => <OrganizationsTab /> },
        ]}
      />
    </Page>
  );
}
