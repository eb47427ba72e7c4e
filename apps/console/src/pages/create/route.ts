import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../../app/root.tsx';

/** A new resource of a kind below ancestors. */
export const createPageRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/new/$group/$version/$plural/$',
  component: lazyRouteComponent(() => import('./create-page.tsx'), 'CreatePage'),
});
