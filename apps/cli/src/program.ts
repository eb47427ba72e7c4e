import { Command } from 'commander';
import { registerApi } from './commands/api.ts';
import { registerApply } from './commands/apply.ts';
import { registerAudit } from './commands/audit.ts';
import { registerAuth } from './commands/auth.ts';
import { CommandContext, type Outcome, type Register } from './commands/command-context.ts';
import { registerCompletion } from './commands/completion.ts';
import { registerContexts } from './commands/contexts.ts';
import { registerDatabase } from './commands/database.ts';
import { registerDelete } from './commands/delete.ts';
import { registerDescribe } from './commands/describe.ts';
import { registerDiff } from './commands/diff.ts';
import { registerEdit } from './commands/edit.ts';
import { registerEvents } from './commands/events.ts';
import { registerExplain } from './commands/explain.ts';
import { registerFinalizers } from './commands/finalizers.ts';
import { registerGet } from './commands/get.ts';
import { registerHistory } from './commands/history.ts';
import { registerIdentity } from './commands/identity.ts';
import { registerKeys } from './commands/keys.ts';
import { registerKinds } from './commands/kinds.ts';
import { registerKubeconfig } from './commands/kubeconfig.ts';
import { registerLabel } from './commands/label.ts';
import { registerLogin } from './commands/login.ts';
import { registerNew } from './commands/new.ts';
import { registerOAuth } from './commands/oauth.ts';
import { registerPatch } from './commands/patch.ts';
import { registerPending } from './commands/pending.ts';
import { registerProjects } from './commands/projects.ts';
import { registerProtect } from './commands/protect.ts';
import { registerRestore } from './commands/restore.ts';
import { registerSearch } from './commands/search.ts';
import { registerSessions } from './commands/sessions.ts';
import { registerStatus } from './commands/status.ts';
import { registerToken } from './commands/token.ts';
import { registerTree } from './commands/tree.ts';
import { registerTypes } from './commands/types.ts';
import { registerWait } from './commands/wait.ts';
import { Failure, printFailure } from './failure.ts';
import { helpExamples } from './help-examples.ts';
import { suggestionFor } from './suggest.ts';
import type { Terminal } from './terminal.ts';
import { version } from './version.ts';

/** The commands, in the order of the help. */
const commands: readonly Register[] = [
  registerLogin,
  registerAuth,
  registerSessions,
  registerAudit,
  registerContexts,
  registerKubeconfig,
  registerKinds,
  registerTypes,
  registerNew,
  registerGet,
  registerSearch,
  registerWait,
  registerEvents,
  registerDescribe,
  registerTree,
  registerApply,
  registerDiff,
  registerEdit,
  registerPatch,
  registerLabel,
  registerDelete,
  registerHistory,
  registerRestore,
  registerExplain,
  registerProtect,
  registerPending,
  registerStatus,
  registerFinalizers,
  registerApi,
  registerToken,
  registerIdentity,
  registerOAuth,
  registerProjects,
  registerDatabase,
  registerKeys,
  registerCompletion,
];

/** Builds the command line. */
export function buildProgram(terminal: Terminal, outcome: Outcome): Command {
  const program = new Command('platform')
    .description('Manage the resources, tokens and apps of a platform.')
    .version(version)
    .option('--context <name>', 'use this context instead of the current one')
    .option('--url <url>', 'use the platform at this URL')
    .option('--token-file <file>', 'use the token in this file')
    .option('--no-color', 'do not color the output')
    .option('--debug', 'print requests, answers and timings on standard error, without secrets and bodies')
    .addHelpText('after', '\nA program platform-<name> on the PATH is run by: platform <name>\n')
    .configureOutput({ writeOut: (text) => terminal.out(text), writeErr: (text) => terminal.err(text) })
    .exitOverride();
  const contextOf = (command: Command) => new CommandContext(terminal, command.optsWithGlobals(), outcome);
  for (const register of commands) register(program, contextOf);
  registerHelp(program);
  printUsageErrors(program, 'platform', terminal);
  addExamples(program, []);
  return program;
}

/** `help`, which refuses an unknown command; Commander's own shows the help of the program for it. */
function registerHelp(program: Command): void {
  program
    .helpCommand(false)
    .command('help [command...]')
    .description('show the help of a command')
    .action((words: readonly string[]) => {
      let command = program;
      for (const word of words) {
        const next = command.commands.find((each) => each.name() === word || each.aliases().includes(word));
        if (next === undefined) return command.error(`error: unknown command '${word}'`);
        command = next;
      }
      command.help();
    });
}

function addExamples(command: Command, words: readonly string[]): void {
  const examples = helpExamples[words.join(' ')];
  const title = examples?.length === 1 ? 'Example' : 'Examples';
  if (examples !== undefined)
    command.addHelpText(
      'after',
      `\n${title}:\n${examples.map((example) => `  platform ${example}\n`).join('')}`,
    );
  for (const each of command.commands) addExamples(each, [...words, each.name()]);
}

/** Prints a usage error like every other failure: one line with a hint. */
function printUsageErrors(command: Command, name: string, terminal: Terminal): void {
  const outputError = (text: string) => {
    const message = (text.trim().split('\n')[0] ?? '').replace(/^error: /, '').replace(/\.$/, '');
    printFailure(
      terminal,
      new Failure('usage', `${message}${suggestion(command, message)}`, `${name} --help`),
    );
  };
  command.showSuggestionAfterError(false).configureOutput({ outputError });
  for (const each of command.commands) printUsageErrors(each, `${name} ${each.name()}`, terminal);
}

// Commander's own suggestions are too far from the word: `edit` for `wait`.
function suggestion(command: Command, message: string): string {
  const [, kind, word = ''] = /^unknown (command|option) '(.*)'$/.exec(message) ?? [];
  const help = command.createHelp();
  if (kind === 'command')
    return suggestionFor(
      word,
      help.visibleCommands(command).map((each) => each.name()),
    );
  const options = kind === 'option' ? help.visibleOptions(command).map(({ long }) => long ?? '') : [];
  return suggestionFor(word, options);
}
