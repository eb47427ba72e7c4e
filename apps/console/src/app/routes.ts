import { createPageRoute } from '../pages/create/route.ts';
import { homeRoute } from '../pages/home/route.ts';
import { kindsRoute } from '../pages/kinds/route.ts';
import { collectionRoute, placeRoute } from '../pages/place/route.ts';
import { removedRoute } from '../pages/removed/route.ts';
import { rootRoute } from './root.tsx';

/** Every page of the console, one line each. A page is a folder below `src/pages`; the menu is in `navigation.ts`. */
export const routeTree = rootRoute.addChildren([
  homeRoute,
  kindsRoute,
  collectionRoute,
  placeRoute,
  removedRoute,
  createPageRoute,
]);
