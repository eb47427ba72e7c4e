import { Failure } from '../failure.ts';
import { printable } from '../output/table.ts';
import type { Register, Workbench } from './command.ts';

interface Check {
  readonly name: string;
  readonly result: 'ok' | 'warning' | 'failed' | 'note';
  readonly detail: string;
  readonly remedy?: string;
}

/** `oauth doctor` and `run`: for those who build an app on an OAuth extension. */
export const registerOAuth: Register = (program, benchOf) => {
  program
    .command('oauth')
    .description('OAuth extensions')
    .command('doctor <project> <extension>')
    .description(
      'look for what is wrong with an extension, and say how to mend it; ends with 1 when something is',
    )
    .action(async (project, extension, _, command) => {
      const bench = benchOf(command);
      const path = `${extensionPath(project, extension)}/doctor`;
      const { text } = await bench.client.send({ method: 'GET', path, signal: bench.signal });
      const { healthy, checks }: { healthy: boolean; checks: readonly Check[] } = JSON.parse(text);
      for (const check of checks) bench.out(showCheck(check, bench));
      if (!healthy) throw new Failure('failed', `extension ${extension} of project ${project} does not work`);
      bench.out('Nothing is wrong.\n');
    });
  program
    .command('run')
    .description('run a program with the variables that extensions inject into the app')
    .requiredOption('-p, --project <name>', 'the project')
    .requiredOption('-e, --extension <name...>', 'its extensions')
    .argument('<command...>', 'the program with its arguments, after --')
    .usage('--project <name> --extension <name> -- <command...>')
    .action(async (words, { project, extension }, command) => {
      const bench = benchOf(command);
      const { client, signal, terminal } = bench;
      let env = { ...terminal.env };
      for (const name of extension) {
        const path = `${extensionPath(project, name)}/env`;
        env = { ...env, ...JSON.parse((await client.send({ method: 'GET', path, signal })).text) };
      }
      bench.finish(await terminal.spawn(words, env));
    });
};

function extensionPath(project: string, extension: string): string {
  return `/api/v1/projects/${encodeURIComponent(project)}/extensions/${encodeURIComponent(extension)}`;
}

function showCheck({ name, result, detail, remedy }: Check, { colors }: Workbench): string {
  const marks = {
    ok: colors.green('ok     '),
    warning: colors.yellow('warning'),
    failed: colors.red('failed '),
    note: colors.cyan('note   '),
  };
  const more = remedy === undefined ? '' : `\n         ${colors.bold('→')} ${printable(remedy)}`;
  return `${marks[result]}  ${name.replaceAll('_', ' ')}: ${printable(detail)}${more}\n`;
}
