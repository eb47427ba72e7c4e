import { script } from '@bomb.sh/tab';
import { Argument, type Command } from 'commander';
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

/**
 * The bash completion script. It is not the one of the library, because it must work without the package bash-completion, can be
 * sourced twice, and must not evaluate what the user types or what the server returns.
 */
const bashScript = `# bash completion for platform

_platform() {
  local line=\${COMP_LINE:0:COMP_POINT} cur stem out directive candidate
  local -a words
  read -ra words <<< "$line"
  [[ $line == *[[:space:]] ]] && words+=('')
  cur=\${words[\${#words[@]} - 1]}
  out=$(platform complete -- "\${words[@]:1}" 2> /dev/null) || return
  directive=\${out##*:}
  # bash replaces only the part after the last : or =.
  stem=\${cur%"\${cur##*[:=]}"}
  COMPREPLY=()
  while IFS=$'\\t' read -r candidate _; do
    [[ $candidate == :* || -z $candidate ]] || COMPREPLY+=("\${candidate#"$stem"}")
  done <<< "$out"
  # 2: no space after the word, 4: no file names.
  ((directive & 2)) && compopt -o nospace
  ((directive & 4)) && compopt +o default +o bashdefault
  return 0
}

complete -o bashdefault -o default -F _platform platform
`;
