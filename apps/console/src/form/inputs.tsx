import { type ComponentProps, useEffect, useState } from 'react';
import { faultsOf } from '../editor/draft-text.ts';
import { type InputProps, useForm } from './context.ts';
import { numberAsYaml, othersIn, type Path, readTree, textAsYaml, valueIn, yamlIn } from './tree.ts';

function shownText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** A text or a number. An optional one that is emptied goes away. */
export function Line({ path, isNumber, ...input }: InputProps & { readonly isNumber: boolean }) {
  const form = useForm();
  const value = shownText(valueIn(form.tree, path));
  const change = (typed: string) => {
    if (typed === '' && !input.required) form.remove(path);
    else form.set(path, isNumber ? numberAsYaml(typed.trim()) : textAsYaml(typed));
  };
  // An input stays what it is while somebody types into it: another would not have the focus. Lines come from the text alone.
  const [isLong, setIsLong] = useState(value.length > 200);
  if (!isLong && value.includes('\n')) setIsLong(true);
  if (isLong) {
    return (
      <textarea
        {...input}
        className="input"
        rows={6}
        value={value}
        onChange={({ target }) => change(target.value)}
      />
    );
  }
  return (
    <input
      {...input}
      className={isNumber ? 'input number' : 'input'}
      inputMode={isNumber ? 'decimal' : undefined}
      autoComplete="off"
      spellCheck={false}
      value={value}
      onChange={({ target }) => change(target.value)}
    />
  );
}

/** One of a few values. A value that is none of them stays until another is chosen. */
export function Choice({ path, values, ...input }: InputProps & { readonly values: readonly unknown[] }) {
  const form = useForm();
  const found = valueIn(form.tree, path);
  const value = found === null ? 'null' : shownText(found);
  const texts = values.map(yamlOf);
  const known =
    found === undefined ? undefined : texts.find((one) => one === value || one === textAsYaml(value));
  return (
    <select
      {...input}
      className="input"
      value={known ?? value}
      onChange={({ target }) => (target.value === '' ? form.remove(path) : form.set(path, target.value))}
    >
      <option value="">not set</option>
      {known === undefined && value !== '' ? <option value={value}>{value} (not allowed)</option> : null}
      {values.map((one, index) => (
        <option key={texts[index]} value={texts[index]}>
          {one === '' ? 'empty' : String(one)}
        </option>
      ))}
    </select>
  );
}

/** Any of a few values, one checkbox each. Values that are none of them stay. */
export function Several({ path, values }: { readonly path: Path; readonly values: readonly unknown[] }) {
  const form = useForm();
  const value = valueIn(form.tree, path);
  const chosen = Array.isArray(value) ? value.map(String) : [];
  const yamlOfName = new Map(values.map((one) => [String(one), yamlOf(one)]));
  const toggle = (name: string) => {
    const at = chosen.indexOf(name);
    if (at >= 0) form.remove([...path, at]);
    else form.set([...path, chosen.length], yamlOfName.get(name) ?? yamlOf(name));
  };
  return (
    <div className="several">
      {[...new Set([...yamlOfName.keys(), ...chosen])].map((name) => (
        <label key={name}>
          <input type="checkbox" checked={chosen.includes(name)} onChange={() => toggle(name)} /> {name}
        </label>
      ))}
    </div>
  );
}

function yamlOf(value: unknown): string {
  if (typeof value === 'bigint') return String(value);
  return typeof value === 'string' ? textAsYaml(value) : JSON.stringify(value);
}

/** A place that no form can show, as YAML. */
export function YamlField({ path, ...input }: InputProps) {
  const form = useForm();
  const change = (next: string) => {
    if (next.trim() === '') form.remove(path);
    else form.set(path, next);
    return true;
  };
  return <YamlText {...input} read={() => yamlIn(form.document(), path)} onChange={change} />;
}

/** The members of a place that its schema does not name, as YAML. */
export function OtherMembers({ path, named, ...input }: InputProps & { readonly named: readonly string[] }) {
  const form = useForm();
  const change = (next: string) => form.setOthers(path, named, next);
  return <YamlText {...input} read={() => othersIn(form.document(), path, named)} onChange={change} />;
}

/** Longer texts are edited in the YAML view: a field parses its text several times for each key. */
const mostOfField = 50_000;

/** A part of the draft as YAML, unless it is too long for a field. */
function YamlText({
  read,
  ...area
}: Omit<ComponentProps<typeof YamlArea>, 'stored'> & { readonly read: () => string }) {
  // Decided once: a field stays while somebody types into it.
  const [isLong] = useState(() => read().length > mostOfField);
  if (isLong) return <span className="hint">It is too long for a field. The YAML view has it.</span>;
  return <YamlArea {...area} stored={read()} />;
}

/** A text that is part of the draft while it is YAML, and while `onChange` takes it. */
function YamlArea({
  stored,
  onChange,
  ...input
}: Omit<InputProps, 'path'> & {
  readonly stored: string;
  readonly onChange: (next: string) => boolean;
}) {
  const [isTaken, setIsTaken] = useState(true);
  const [typed, setTyped] = useState(stored);
  // The typed text keeps its spaces and comments while it says the same, and stays while it says nothing yet.
  useEffect(
    () => setTyped((own) => (faultsOf(own).length > 0 || isSame(own, stored) ? own : stored)),
    [stored],
  );
  const fault =
    faultsOf(typed)[0]?.message ?? (isTaken ? undefined : 'Only members that no field above has belong here');
  const change = (next: string) => {
    setTyped(next);
    if (faultsOf(next).length > 0) return;
    setIsTaken((next.trim() !== '' && isSame(next, stored)) || onChange(next));
  };
  return (
    <>
      <textarea
        {...input}
        className="input mono"
        rows={Math.min(16, Math.max(3, typed.split('\n').length + 1))}
        spellCheck={false}
        aria-invalid={input['aria-invalid'] || fault !== undefined}
        value={typed}
        onChange={({ target }) => change(target.value)}
      />
      {fault === undefined ? null : <span className="fault">{fault}. It is not part of the draft yet.</span>}
    </>
  );
}

function isSame(one: string, other: string): boolean {
  return JSON.stringify(readTree(one)) === JSON.stringify(readTree(other));
}
