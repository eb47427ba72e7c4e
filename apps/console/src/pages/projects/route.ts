import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../../app/root.tsx';

export const projectsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/tenants',
  component: lazyRouteComponent(() => import('./projects-page.tsx'), 'ProjectsPage'),
});

export const projectRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/tenants/$project',
  component: lazyRouteComponent(() => import('./project-page.tsx'), 'ProjectPage'),
});
