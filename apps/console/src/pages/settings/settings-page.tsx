import { changeSettings, type Settings, useSettings } from '../../app/settings.ts';
import { Card } from '../../ui/card.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Page } from '../../ui/page.tsx';

/** Preferences of this browser, and how to use the same platform from a terminal. */
export function SettingsPage() {
  const { theme, density } = useSettings();
  const { origin } = window.location;
  const install = `npm install --global ${origin}/downloads/cli.tgz`;
  const login = `platform login --url ${origin}`;
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
          </div>
        </Card>
        <Card title="Command line">
          <div className="stack">
            <p>Install the command line of this version, then log in:</p>
            <Command text={install} label="the command that installs" />
            <Command text={login} label="the command that logs in" />
          </div>
        </Card>
      </div>
    </Page>
  );
}

function Command({ text, label }: { readonly text: string; readonly label: string }) {
  return (
    <div className="command">
      <code>{text}</code>
      <CopyButton text={text} label={label} />
    </div>
  );
}
