import { script } from '@bomb.sh/tab';
import { Argument, type Command } from 'commander';
import { bashScript } from '../completion/bash.ts';
import { candidatesFor } from '../completion/candidates.ts';
import type { Register } from './command-context.ts';

/** `completion` prints the script for a shell; the script calls the hidden command `complete`. */
export const registerCompletion: Register = (program, contextOf) => {
  program
    .command('completion')
    .description('print a completion script; use: source <(platform completion bash)')
    .addArgument(new Argument('<shell>', 'the shell').choices(['bash', 'zsh', 'fish', 'powershell']))
    .action((shell, _, command) => {
      if (shell === 'bash') contextOf(command).out(bashScript);
      else script(shell, 'platform', 'platform');
    });
  program
    .command('complete', { hidden: true })
    .argument('[words...]')
    .allowUnknownOption()
    .action(async (words: string[], _, command: Command) => {
      const ctx = contextOf(command);
      const { candidates, directive } = await candidatesFor(program, words, ctx);
      const lines = candidates.map(({ value, description }) => `${value}\t${description}\n`);
      ctx.out(`${lines.join('')}:${directive}\n`);
    });
};
