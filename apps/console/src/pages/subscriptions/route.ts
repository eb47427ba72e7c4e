import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../../app/root.tsx';

export const subscriptionsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/ops/subscriptions',
  component: lazyRouteComponent(() => import('./subscriptions-page.tsx'), 'SubscriptionsPage'),
});
