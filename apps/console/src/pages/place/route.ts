import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../../app/root.tsx';

const component = lazyRouteComponent(() => import('./place-page.tsx'), 'PlacePage');

/** The table of a root-scoped kind, or of a kind in every place. */
export const collectionRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/r/$group/$version/$plural',
  component,
});

/** A table below ancestors, or one resource: the number of names decides, as in the API. */
export const placeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/r/$group/$version/$plural/$',
  component,
});
