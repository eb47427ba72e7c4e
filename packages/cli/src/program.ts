import { createRequire } from 'node:module';
import { Command } from 'commander';
import { registerApi } from './commands/api.ts';
import { registerApply } from './commands/apply.ts';
import { type Outcome, type Register, Workbench } from './commands/command.ts';
import { registerCompletion } from './commands/completion.ts';
import { registerContexts } from './commands/contexts.ts';
import { registerDatabase } from './commands/database.ts';
import { registerDelete } from './commands/delete.ts';
import { registerDescribe } from './commands/describe.ts';
import { registerEdit } from './commands/edit.ts';
import { registerGet } from './commands/get.ts';
import { registerIdentity } from './commands/identity.ts';
import { registerKinds } from './commands/kinds.ts';
import { registerLogin } from './commands/login.ts';
import { registerOAuth } from './commands/oauth.ts';
import { registerPending } from './commands/pending.ts';
import { registerStatus } from './commands/status.ts';
import { registerToken } from './commands/token.ts';
import { registerTree } from './commands/tree.ts';
import { Failure } from './failure.ts';
import { tell } from './tell.ts';
import type { Terminal } from './terminal.ts';

/** The commands, in the order in which the help shows them. */
const commands: readonly Register[] = [
  registerLogin,
  registerContexts,
  registerKinds,
  registerGet,
  registerDescribe,
  registerTree,
  registerApply,
  registerEdit,
  registerDelete,
  registerPending,
  registerStatus,
  registerApi,
  registerToken,
  registerIdentity,
  registerOAuth,
  registerDatabase,
  registerCompletion,
];

const { version } = createRequire(import.meta.url)('../package.json') as { version: string };

/** The whole command line. */
export function buildProgram(terminal: Terminal, outcome: Outcome): Command {
  const program = new Command('platform')
    .description('Works with the platform: its resources, tokens and apps.')
    .version(version)
    .option('--context <name>', 'the context to use instead of the current one')
    .option('--url <url>', 'the platform to use')
    .option('--token-file <file>', 'the token to use')
    .option('--no-color', 'no colour, on a terminal either')
    .configureOutput({ writeOut: (text) => terminal.out(text), writeErr: (text) => terminal.err(text) })
    .exitOverride();
  const benchOf = (command: Command) => new Workbench(terminal, command.optsWithGlobals(), outcome);
  for (const register of commands) register(program, benchOf);
  tellMistakes(program, 'platform', terminal);
  return program;
}

/** What makes no sense is told in one line, as everything else that goes wrong, with the help of the command as the way out. */
function tellMistakes(command: Command, name: string, terminal: Terminal): void {
  const outputError = (text: string) => {
    const [said = '', guess] = text.trim().split('\n');
    const message = said.replace(/^error: /, '').replace(/\.$/, '');
    const meant = guess === undefined ? '' : ` ${guess.replace('(Did', '(did')}`;
    tell(terminal, new Failure('usage', `${message}${meant}`, `${name} --help`));
  };
  command.configureOutput({ outputError });
  for (const each of command.commands) tellMistakes(each, `${name} ${each.name()}`, terminal);
}
