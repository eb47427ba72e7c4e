import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from './root.tsx';

const getParentRoute = () => rootRoute;
const placePage = lazyRouteComponent(() => import('../pages/place/place-page.tsx'), 'PlacePage');

const home = createRoute({
  getParentRoute,
  path: '/',
  component: lazyRouteComponent(() => import('../pages/home/home-page.tsx'), 'HomePage'),
});

const kinds = createRoute({
  getParentRoute,
  path: '/kinds',
  component: lazyRouteComponent(() => import('../pages/kinds/kinds-page.tsx'), 'KindsPage'),
});

/** The table of a root-scoped kind, or of a kind in every place. */
const collection = createRoute({ getParentRoute, path: '/r/$group/$version/$plural', component: placePage });

/** A table below ancestors, or one resource: the number of names decides, as in the API. */
const place = createRoute({ getParentRoute, path: '/r/$group/$version/$plural/$', component: placePage });

/** A new resource of a kind below ancestors. */
const create = createRoute({
  getParentRoute,
  path: '/new/$group/$version/$plural/$',
  component: lazyRouteComponent(() => import('../pages/create/create-page.tsx'), 'CreatePage'),
});

const removed = createRoute({
  getParentRoute,
  path: '/removed',
  component: lazyRouteComponent(() => import('../pages/removed/removed-page.tsx'), 'RemovedPage'),
});

const tenants = createRoute({
  getParentRoute,
  path: '/tenants',
  component: lazyRouteComponent(() => import('../pages/tenants/tenants-page.tsx'), 'TenantsPage'),
});

const organization = createRoute({
  getParentRoute,
  path: '/tenants/organizations/$organization',
  component: lazyRouteComponent(() => import('../pages/tenants/organization-page.tsx'), 'OrganizationPage'),
});

const team = createRoute({
  getParentRoute,
  path: '/tenants/teams/$team',
  component: lazyRouteComponent(() => import('../pages/tenants/team-page.tsx'), 'TeamPage'),
});

const project = createRoute({
  getParentRoute,
  path: '/tenants/$project',
  component: lazyRouteComponent(() => import('../pages/projects/project-page.tsx'), 'ProjectPage'),
});

/** Something below a project. */
const child = createRoute({
  getParentRoute,
  path: '/tenants/$project/$collection/$name',
  component: lazyRouteComponent(() => import('../pages/projects/child-page.tsx'), 'ChildPage'),
});

const access = createRoute({
  getParentRoute,
  path: '/access',
  component: lazyRouteComponent(() => import('../pages/access/access-page.tsx'), 'AccessPage'),
});

const audit = createRoute({
  getParentRoute,
  path: '/ops/audit',
  component: lazyRouteComponent(() => import('../pages/audit/audit-page.tsx'), 'AuditPage'),
});

const sessions = createRoute({
  getParentRoute,
  path: '/ops/sessions',
  component: lazyRouteComponent(() => import('../pages/sessions/sessions-page.tsx'), 'SessionsPage'),
});

const collector = createRoute({
  getParentRoute,
  path: '/ops/collector',
  component: lazyRouteComponent(() => import('../pages/collector/collector-page.tsx'), 'CollectorPage'),
});

const subscriptions = createRoute({
  getParentRoute,
  path: '/ops/subscriptions',
  component: lazyRouteComponent(
    () => import('../pages/subscriptions/subscriptions-page.tsx'),
    'SubscriptionsPage',
  ),
});

const settings = createRoute({
  getParentRoute,
  path: '/settings',
  component: lazyRouteComponent(() => import('../pages/settings/settings-page.tsx'), 'SettingsPage'),
});

/** Every page of the console. A page is a folder below `src/pages`, loaded when it is opened; the menu is in `navigation.ts`. */
export const routeTree = rootRoute.addChildren([
  home,
  kinds,
  collection,
  place,
  create,
  removed,
  tenants,
  organization,
  team,
  project,
  child,
  access,
  audit,
  sessions,
  collector,
  subscriptions,
  settings,
]);
