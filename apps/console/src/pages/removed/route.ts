import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../../app/root.tsx';

export const removedRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/removed',
  component: lazyRouteComponent(() => import('./removed-page.tsx'), 'RemovedPage'),
});
