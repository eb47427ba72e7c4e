import { ShellCompDirective } from '@bomb.sh/tab';
import type { Command, Option } from 'commander';
import type { Workbench } from '../commands/command.ts';
import { namesFor } from './names.ts';
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

/** Completes the last of the words after `platform`. Never fails: what cannot be looked up in two seconds is not offered. */
export async function candidatesFor(
  program: Command,
  words: readonly string[],
  bench: Workbench,
): Promise<Completion> {
  const overdue = new AbortController();
  const cancel = bench.terminal.timers.after(patienceMs, () => overdue.abort());
  const signal = AbortSignal.any([bench.signal, overdue.signal]);
  try {
    const { candidates, directive } = await complete(program, words, bench, signal);
    return { candidates: candidates.filter(isHarmless), directive };
  } catch {
    return { candidates: [], directive: noFiles };
  } finally {
    cancel();
  }
}

// Attack: names come from a server, and shells evaluate some of what they are offered.
function isHarmless({ value }: Candidate): boolean {
  return /^[\w./:@+-]+$/.test(value);
}

async function complete(
  program: Command,
  words: readonly string[],
  bench: Workbench,
  signal: AbortSignal,
): Promise<Completion> {
  const current = words.at(-1) ?? '';
  const { command, operands, awaited, given } = readWords(program, words.slice(0, -1));
  const named = /^(--[\w-]+)=(.*)$/.exec(current);
  const option = awaited ?? optionOf(program, command, named?.[1]);
  if (option !== undefined) {
    const { long, argChoices } = option;
    const typed = awaited === undefined ? (named?.[2] ?? '') : current;
    if (argChoices !== undefined) return offer(argChoices.map(plain), typed);
    if (/file|directory/.test(long ?? '')) return { candidates: [], directive: files };
    return offer(await namesFor(long?.slice(2) ?? '', bench, [given.get('--project') ?? ''], signal), typed);
  }
  if (current.startsWith('-')) return offer(optionsOf(program, command), current);
  const commands = command.createHelp().visibleCommands(command);
  if (commands.length > 0 && operands.length === 0) {
    return offer(
      commands.map((each) => ({ value: each.name(), description: each.description() })),
      current,
    );
  }
  return await completeArgument(command, [...operands, current], bench, signal);
}

async function completeArgument(
  command: Command,
  operands: readonly string[],
  bench: Workbench,
  signal: AbortSignal,
): Promise<Completion> {
  const { registeredArguments } = command;
  const current = operands.at(-1) ?? '';
  const argument = registeredArguments[operands.length - 1] ?? registeredArguments.at(-1);
  if (argument?.argChoices !== undefined) return offer(argument.argChoices.map(plain), current);
  if (argument?.name() === 'target') {
    const found = await targetCandidates(bench, operands, signal, command.name() === 'get');
    const isOpen = found.some(({ value }) => value.endsWith('/'));
    return { candidates: found, directive: isOpen ? noFiles | noSpace : noFiles };
  }
  if (argument?.name() === 'command') return { candidates: [], directive: files };
  const what = command.parent?.name() === 'contexts' ? 'context' : (argument?.name() ?? '');
  return offer(await namesFor(what, bench, operands, signal), current);
}

const plain = (value: string): Candidate => ({ value, description: '' });

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

/** The option of this name that takes a value. */
function optionOf(program: Command, command: Command, name: string | undefined): Option | undefined {
  const found = [...command.options, ...program.options].find(
    ({ long, short }) => name !== undefined && (name === long || name === short),
  );
  return found?.required ? found : undefined;
}

/** Which command the words name, what they give it, and the option whose value comes next. */
function readWords(program: Command, words: readonly string[]) {
  let command = program;
  let awaited: Option | undefined;
  const operands: string[] = [];
  const given = new Map<string, string>();
  for (const word of words) {
    if (awaited !== undefined) {
      given.set(awaited.long ?? '', word);
      awaited = undefined;
    } else if (word.startsWith('-')) {
      awaited = optionOf(program, command, word);
    } else {
      const next = operands.length === 0 ? command.commands.find((each) => each.name() === word) : undefined;
      if (next === undefined) operands.push(word);
      else command = next;
    }
  }
  return { command, operands, awaited, given };
}
