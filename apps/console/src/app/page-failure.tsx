import type { ErrorComponentProps } from '@tanstack/react-router';
import { Icon } from '../ui/icon.tsx';
import { Page } from '../ui/page.tsx';

/** How browsers and the bundler call a script or style that is not there any more. */
const missingFile = /dynamically imported module|module script failed|preload CSS/i;

/** Takes the place of a page that failed. After an upgrade, a tab asks for files of the version that it was opened with. */
export function PageFailure({ error }: ErrorComponentProps) {
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
