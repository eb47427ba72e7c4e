import { createRouter, type ErrorComponentProps } from '@tanstack/react-router';
import { Icon } from '../ui/icon.tsx';
import { Page } from '../ui/page.tsx';
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

/** How browsers and the bundler call a script or style that is not there any more. */
const missingFile = /dynamically imported module|module script failed|preload CSS/i;

/** Takes the place of a page that failed. After an upgrade, a tab asks for files of the version that it was opened with. */
function PageFailure({ error }: ErrorComponentProps) {
  const message = error instanceof Error ? error.message : String(error);
  const isMissing = missingFile.test(message);
  return (
    <Page title={isMissing ? 'A part of the console could not be loaded' : 'This page failed'}>
      <div className="state" role="alert">
        {isMissing ? (
          <p>The platform may have a new version. Load the page again to get it.</p>
        ) : (
          <p>
            Load the page again. If it fails again, report this: <code>{message}</code>
          </p>
        )}
        <button type="button" className="button primary" onClick={() => window.location.reload()}>
          <Icon name="refresh" />
          Load again
        </button>
      </div>
    </Page>
  );
}
