import { ShellCompDirective } from '@bomb.sh/tab';
import type { Command, Option } from 'commander';
import type { CommandContext } from '../commands/command-context.ts';
import { namesFor } from './names.ts';
import { type Candidate, targetCandidates } from './targets.ts';

/** The result of a completion. */
export interface Completion {
  readonly candidates: readonly Candidate[];
  /** Instructions for the completion script, such as: no file names. */
  readonly directive: number;
}

const {
  ShellCompDirectiveDefault: files,
  ShellCompDirectiveNoFileComp: noFiles,
  ShellCompDirectiveNoSpace: noSpace,
} = ShellCompDirective;
// The user is waiting after pressing Tab.
const timeoutMs = 2_000;

/** Completes the last word. Never fails: names that cannot be read within the timeout are not offered. */
export async function candidatesFor(
  program: Command,
  words: readonly string[],
  ctx: CommandContext,
): Promise<Completion> {
  const timeout = new AbortController();
  const cancel = ctx.terminal.timers.after(timeoutMs, () => timeout.abort());
  const signal = AbortSignal.any([ctx.signal, timeout.signal]);
  try {
    const { candidates, directive } = await complete(program, words, ctx, signal);
    return { candidates: candidates.filter(isSafe), directive };
  } catch {
    return { candidates: [], directive: noFiles };
  } finally {
    cancel();
  }
}

// Attack: a server returns a name with shell syntax, and the shell evaluates the candidate.
function isSafe({ value }: Candidate): boolean {
  return /^[\w./:@+-]+$/.test(value);
}

async function complete(
  program: Command,
  words: readonly string[],
  ctx: CommandContext,
  signal: AbortSignal,
): Promise<Completion> {
  const current = words.at(-1) ?? '';
  const { command, operands, pendingOption, values } = readWords(program, words.slice(0, -1));
  const assignment = /^(--[\w-]+)=(.*)$/.exec(current);
  const option = pendingOption ?? optionOf(program, command, assignment?.[1]);
  if (option !== undefined) {
    const { long, argChoices } = option;
    const typed = pendingOption === undefined ? (assignment?.[2] ?? '') : current;
    if (argChoices !== undefined) return offer(argChoices.map(candidate), typed);
    if (/file|directory/.test(long ?? '')) return { candidates: [], directive: files };
    return offer(await namesFor(long?.slice(2) ?? '', ctx, [values.get('--project') ?? ''], signal), typed);
  }
  if (current.startsWith('-')) return offer(optionsOf(program, command), current);
  const commands = command.createHelp().visibleCommands(command);
  if (commands.length > 0 && operands.length === 0) {
    return offer(
      commands.map((each) => ({ value: each.name(), description: each.description() })),
      current,
    );
  }
  return await completeArgument(command, [...operands, current], ctx, signal);
}

async function completeArgument(
  command: Command,
  operands: readonly string[],
  ctx: CommandContext,
  signal: AbortSignal,
): Promise<Completion> {
  const { registeredArguments } = command;
  const current = operands.at(-1) ?? '';
  const argument = registeredArguments[operands.length - 1] ?? registeredArguments.at(-1);
  if (argument?.argChoices !== undefined) return offer(argument.argChoices.map(candidate), current);
  if (argument?.name() === 'target') {
    const names = command.name() === 'restore' ? 'removed' : command.name() === 'get' ? 'typed' : 'existing';
    const found = await targetCandidates(ctx, operands, signal, names);
    const isOpen = found.some(({ value }) => value.endsWith('/'));
    return { candidates: found, directive: isOpen ? noFiles | noSpace : noFiles };
  }
  if (argument?.name() === 'command') return { candidates: [], directive: files };
  const name = command.parent?.name() === 'contexts' ? 'context' : (argument?.name() ?? '');
  return offer(await namesFor(name, ctx, operands, signal), current);
}

const candidate = (value: string): Candidate => ({ value, description: '' });

function offer(all: readonly Candidate[], current: string): Completion {
  return { candidates: all.filter(({ value }) => value.startsWith(current)), directive: noFiles };
}

function optionsOf(program: Command, command: Command): Candidate[] {
  const options = [
    ...command.createHelp().visibleOptions(command),
    ...(command === program ? [] : program.options),
  ];
  return options.map(({ long, short, description }) => ({ value: long ?? short ?? '', description }));
}

/** The option of this name, if it takes a value. */
function optionOf(program: Command, command: Command, name: string | undefined): Option | undefined {
  const found = [...command.options, ...program.options].find(
    ({ long, short }) => name !== undefined && (name === long || name === short),
  );
  return found?.required ? found : undefined;
}

/** Parses the words before the last one: the command, its operands, the option values, and an option that expects a value. */
function readWords(program: Command, words: readonly string[]) {
  let command = program;
  let pendingOption: Option | undefined;
  const operands: string[] = [];
  const values = new Map<string, string>();
  for (const word of words) {
    if (pendingOption !== undefined) {
      values.set(pendingOption.long ?? '', word);
      pendingOption = undefined;
    } else if (word.startsWith('-')) {
      pendingOption = optionOf(program, command, word);
    } else {
      const next = operands.length === 0 ? command.commands.find((each) => each.name() === word) : undefined;
      if (next === undefined) operands.push(word);
      else command = next;
    }
  }
  return { command, operands, pendingOption, values };
}
