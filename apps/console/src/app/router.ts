import { createRouter } from '@tanstack/react-router';
import { PageFailure } from './page-failure.tsx';
import { routeTree } from './routes.ts';

export const router = createRouter({
  routeTree,
  basepath: '/console',
  scrollRestoration: true,
  defaultPreload: false,
  defaultErrorComponent: PageFailure,
  // Plain texts both ways: a name such as `12` or `true` stays a text, and people can write addresses by hand.
  parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch: (search) => {
    const pairs = Object.entries(search).flatMap(([name, value]) =>
      value === undefined || value === '' ? [] : [[name, String(value)]],
    );
    const text = new URLSearchParams(pairs).toString().replaceAll('%2F', '/').replaceAll('%3A', ':');
    return text === '' ? '' : `?${text}`;
  },
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
