import { script } from '@bomb.sh/tab';
import { Argument, type Command } from 'commander';
import { bashScript } from '../completion/bash.ts';
import { candidatesFor } from '../completion/candidates.ts';
import type { Register } from './command.ts';

/** `completion` prints what a shell needs; `complete` is what the shell asks then. */
export const registerCompletion: Register = (program, benchOf) => {
  program
    .command('completion')
    .description('print a completion script: source <(platform completion bash)')
    .addArgument(new Argument('<shell>', 'the shell').choices(['bash', 'zsh', 'fish', 'powershell']))
    .action((shell, _, command) => {
      if (shell === 'bash') benchOf(command).out(bashScript);
      else script(shell, 'platform', 'platform');
    });
  program
    .command('complete', { hidden: true })
    .argument('[words...]')
    .allowUnknownOption()
    .action(async (words: string[], _, command: Command) => {
      const bench = benchOf(command);
      const { candidates, directive } = await candidatesFor(program, words, bench);
      const lines = candidates.map(({ value, description }) => `${value}\t${description}\n`);
      bench.out(`${lines.join('')}:${directive}\n`);
    });
};
