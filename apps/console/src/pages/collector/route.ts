import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../../app/root.tsx';

export const collectorRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/ops/collector',
  component: lazyRouteComponent(() => import('./collector-page.tsx'), 'CollectorPage'),
});
