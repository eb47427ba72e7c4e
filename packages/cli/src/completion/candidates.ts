import { ShellCompDirective } from '@bomb.sh/tab';
import type { Command, Option } from 'commander';
import type { Workbench } from '../commands/command.ts';
import { type Candidate, targetCandidates } from './targets.ts';

/** What a shell may offer for the last word. */
export interface Completion {
  readonly candidates: readonly Candidate[];
  /** What the shell does besides, as the completion scripts know it. */
  readonly directive: number;
}

const {
  ShellCompDirectiveDefault: files,
  ShellCompDirectiveNoFileComp: noFiles,
  ShellCompDirectiveNoSpace: noSpace,
} = ShellCompDirective;
// A person is holding the Tab key.
const patienceMs = 2_000;

/** Completes the last of the words after `platform`. Never fails: what cannot be looked up is not offered. */
export async function candidatesFor(
  program: Command,
  words: readonly string[],
  bench: Workbench,
): Promise<Completion> {
  const current = words.at(-1) ?? '';
  const { command, operands, awaited } = readWords(program, words.slice(0, -1));
  if (awaited !== undefined) return optionValues(awaited, current);
  if (current.startsWith('-')) return offer(optionsOf(program, command), current);
  const commands = command.createHelp().visibleCommands(command);
  if (commands.length > 0 && operands.length === 0) {
    return offer(
      commands.map((each) => ({ value: each.name(), description: each.description() })),
      current,
    );
  }
  const [argument] = command.registeredArguments;
  if (argument?.argChoices !== undefined && operands.length === 0) {
    return offer(
      argument.argChoices.map((value) => ({ value, description: '' })),
      current,
    );
  }
  if (argument?.name() !== 'target') return { candidates: [], directive: files };
  const limit = AbortSignal.any([bench.signal, AbortSignal.timeout(patienceMs)]);
  const found = await targetCandidates(bench, [...operands, current], limit).catch(() => []);
  const isOpen = found.some(({ value }) => value.endsWith('/'));
  return { candidates: found, directive: isOpen ? noFiles | noSpace : noFiles };
}

function offer(all: readonly Candidate[], current: string): Completion {
  return { candidates: all.filter(({ value }) => value.startsWith(current)), directive: noFiles };
}

function optionValues({ argChoices, long }: Option, current: string): Completion {
  if (argChoices !== undefined)
    return offer(
      argChoices.map((value) => ({ value, description: '' })),
      current,
    );
  return { candidates: [], directive: /file|directory/.test(long ?? '') ? files : noFiles };
}

function optionsOf(program: Command, command: Command): Candidate[] {
  const options = [
    ...command.createHelp().visibleOptions(command),
    ...(command === program ? [] : program.options),
  ];
  return options.map(({ long, short, description }) => ({ value: long ?? short ?? '', description }));
}

/** Which command the words name, what they give it, and the option whose value comes next. */
function readWords(program: Command, words: readonly string[]) {
  let command = program;
  let awaited: Option | undefined;
  const operands: string[] = [];
  for (const word of words) {
    if (awaited !== undefined) {
      awaited = undefined;
    } else if (word.startsWith('-')) {
      const option = [...command.options, ...program.options].find(
        ({ long, short }) => word === long || word === short,
      );
      awaited = option?.required ? option : undefined;
    } else {
      const next = operands.length === 0 ? command.commands.find((each) => each.name() === word) : undefined;
      if (next === undefined) operands.push(word);
      else command = next;
    }
  }
  return { command, operands, awaited };
}
