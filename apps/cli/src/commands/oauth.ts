import { Failure } from '../failure.ts';
import { printable } from '../output/format.ts';
import type { CommandContext, Register } from './command-context.ts';

interface Check {
  readonly name: string;
  readonly result: 'ok' | 'warning' | 'failed' | 'note';
  readonly detail: string;
  readonly remedy?: string;
}

/** `oauth doctor` and `run`: for developers of an app that uses an OAuth extension. */
export const registerOAuth: Register = (program, contextOf) => {
  program
    .command('oauth')
    .description('check OAuth extensions')
    .command('doctor <project> <extension>')
    .description('check an extension and say how to repair it; exits with 1 when a check fails')
    .action(async (project, extension, _, command) => {
      const ctx = contextOf(command);
      const path = `${extensionPath(project, extension)}/doctor`;
      const { text } = await ctx.client.send({ method: 'GET', path, signal: ctx.signal });
      const { healthy, checks }: { healthy: boolean; checks: readonly Check[] } = JSON.parse(text);
      for (const check of checks) ctx.out(showCheck(check, ctx));
      if (!healthy)
        throw new Failure('failed', `checks of extension ${extension} in project ${project} failed`);
      ctx.out('All checks passed.\n');
    });
  program
    .command('run')
    .description('run a program with the environment variables of extensions')
    .requiredOption('-p, --project <name>', 'the project')
    .requiredOption('-e, --extension <name...>', 'extensions of the project')
    .argument('<command...>', 'the program with its arguments, after --')
    .usage('--project <name> --extension <name> -- <command...>')
    .action(async (words, { project, extension }, command) => {
      const ctx = contextOf(command);
      const { client, signal, terminal } = ctx;
      let env = { ...terminal.env };
      for (const name of extension) {
        const path = `${extensionPath(project, name)}/env`;
        env = { ...env, ...JSON.parse((await client.send({ method: 'GET', path, signal })).text) };
      }
      ctx.finish(await terminal.spawn(words, env));
    });
};

function extensionPath(project: string, extension: string): string {
  return `/api/v1/projects/${encodeURIComponent(project)}/extensions/${encodeURIComponent(extension)}`;
}

function showCheck({ name, result, detail, remedy }: Check, { colors }: CommandContext): string {
  const marks = {
    ok: colors.green('ok     '),
    warning: colors.yellow('warning'),
    failed: colors.red('failed '),
    note: colors.cyan('note   '),
  };
  const more = remedy === undefined ? '' : `\n         ${colors.bold('→')} ${printable(remedy)}`;
  return `${marks[result]}  ${name.replaceAll('_', ' ')}: ${printable(detail)}${more}\n`;
}
