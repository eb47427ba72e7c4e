import { changeSettings, type Settings, useSettings } from '../../app/settings.ts';
import { Card } from '../../ui/card.tsx';
import { Page } from '../../ui/page.tsx';
import { CommandLine } from './command-line.tsx';
import { Downloads } from './downloads.tsx';
import { KubernetesCard } from './kubernetes-card.tsx';

/** Preferences of this browser, and how to use the same platform from a terminal. */
export function SettingsPage() {
  const { theme, density, tables, singleKeys } = useSettings();
  return (
    <Page title="Settings">
      <div className="cards">
        <Card title="This browser">
          <div className="stack">
            <label className="field">
              <span className="label">Theme</span>
              <select
                className="input"
                value={theme}
                onChange={({ target }) => changeSettings({ theme: target.value as Settings['theme'] })}
              >
                <option value="system">As the system</option>
                <option value="light">Light</option>
                <option value="dark">Dark</option>
              </select>
            </label>
            <label className="field">
              <span className="label">Rows of tables</span>
              <select
                className="input"
                value={density}
                onChange={({ target }) => changeSettings({ density: target.value as Settings['density'] })}
              >
                <option value="compact">Compact</option>
                <option value="comfortable">Comfortable</option>
              </select>
            </label>
            <label className="field">
              <span className="label">Tables of resources</span>
              <select
                className="input"
                value={tables}
                onChange={({ target }) => changeSettings({ tables: target.value as Settings['tables'] })}
              >
                <option value="scroll">Scroll through all rows</option>
                <option value="pages">Pages of 50 rows, for screen readers</option>
              </select>
            </label>
            <label>
              <input
                type="checkbox"
                checked={singleKeys}
                onChange={({ target }) => changeSettings({ singleKeys: target.checked })}
              />{' '}
              Keys without Ctrl, such as <kbd>?</kbd> for the list of keys
            </label>
          </div>
        </Card>
        <CommandLine />
        <KubernetesCard />
        <Downloads />
      </div>
    </Page>
  );
}
