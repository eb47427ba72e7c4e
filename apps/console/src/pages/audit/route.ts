import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../../app/root.tsx';

export const auditRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/ops/audit',
  component: lazyRouteComponent(() => import('./audit-page.tsx'), 'AuditPage'),
});
