import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../../app/root.tsx';

export const tenantsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/tenants',
  component: lazyRouteComponent(() => import('./tenants-page.tsx'), 'TenantsPage'),
});

export const organizationRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/tenants/organizations/$organization',
  component: lazyRouteComponent(() => import('./organization-page.tsx'), 'OrganizationPage'),
});

export const teamRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/tenants/teams/$team',
  component: lazyRouteComponent(() => import('./team-page.tsx'), 'TeamPage'),
});
