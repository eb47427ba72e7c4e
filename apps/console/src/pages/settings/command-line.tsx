import { Card } from '../../ui/card.tsx';
import { Command } from '../../ui/copy.tsx';

/** The way to the same platform from a terminal. */
export function CommandLine() {
  const { origin } = window.location;
  return (
    <Card title="Command line">
      <div className="stack">
        <p>Install the command line of this version, then log in:</p>
        <Command
          text={`npm install --global ${origin}/downloads/cli.tgz`}
          label="the command that installs"
        />
        <Command text={`platform login --url ${origin}`} label="the command that logs in" />
        <p>On a machine without a browser:</p>
        <Command
          text={`platform login --url ${origin} --device`}
          label="the command that logs in by a code"
        />
        <p>Then ask who you are, and what there is:</p>
        <Command text="platform auth whoami" label="the command that says who you are" />
        <Command text="platform kinds" label="the command that lists kinds" />
      </div>
    </Card>
  );
}
