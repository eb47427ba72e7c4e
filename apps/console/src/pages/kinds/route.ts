import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../../app/root.tsx';

export const kindsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/kinds',
  component: lazyRouteComponent(() => import('./kinds-page.tsx'), 'KindsPage'),
});
