import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../../app/root.tsx';

export const projectRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/tenants/$project',
  component: lazyRouteComponent(() => import('./project-page.tsx'), 'ProjectPage'),
});

/** One environment, deployment, service account or extension. */
export const childRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/tenants/$project/$collection/$name',
  component: lazyRouteComponent(() => import('./child-page.tsx'), 'ChildPage'),
});
