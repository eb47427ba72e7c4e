import { accessRoute } from '../pages/access/route.ts';
import { auditRoute } from '../pages/audit/route.ts';
import { collectorRoute } from '../pages/collector/route.ts';
import { createPageRoute } from '../pages/create/route.ts';
import { homeRoute } from '../pages/home/route.ts';
import { kindsRoute } from '../pages/kinds/route.ts';
import { collectionRoute, placeRoute } from '../pages/place/route.ts';
import { childRoute, projectRoute } from '../pages/projects/route.ts';
import { removedRoute } from '../pages/removed/route.ts';
import { sessionsRoute } from '../pages/sessions/route.ts';
import { settingsRoute } from '../pages/settings/route.ts';
import { subscriptionsRoute } from '../pages/subscriptions/route.ts';
import { organizationRoute, teamRoute, tenantsRoute } from '../pages/tenants/route.ts';
import { rootRoute } from './root.tsx';

/** Every page of the console, one line each. A page is a folder below `src/pages`; the menu is in `navigation.ts`. */
export const routeTree = rootRoute.addChildren([
  homeRoute,
  kindsRoute,
  collectionRoute,
  placeRoute,
  createPageRoute,
  removedRoute,
  tenantsRoute,
  organizationRoute,
  teamRoute,
  projectRoute,
  childRoute,
  accessRoute,
  auditRoute,
  sessionsRoute,
  collectorRoute,
  subscriptionsRoute,
  settingsRoute,
]);
