import { useState } from 'react';
import type { Field } from './fields.ts';
import { OwnerField } from './owner-field.tsx';
import { type Row, RowsField } from './rows-field.tsx';

/** The control of a field. `id` is that of its label, `described` that of its hint and faults. */
export function FieldInput({
  field,
  id,
  described,
  value,
  isFaulty,
  onChange,
}: {
  readonly field: Field;
  readonly id: string;
  readonly described: string | undefined;
  readonly value: unknown;
  readonly isFaulty: boolean;
  readonly onChange: (value: unknown) => void;
}) {
  const shared = { id, 'aria-describedby': described, 'aria-invalid': isFaulty } as const;
  switch (field.type) {
    case 'text':
    case 'secret':
      return (
        <input
          {...shared}
          className={field.type === 'text' && field.mono ? 'input mono' : 'input'}
          type={field.type === 'secret' ? 'password' : 'text'}
          autoComplete={field.type === 'secret' ? 'new-password' : 'off'}
          spellCheck={false}
          placeholder={field.type === 'text' ? field.example : undefined}
          required={field.required}
          value={String(value ?? '')}
          onChange={({ target }) => onChange(target.value === '' ? undefined : target.value)}
        />
      );
    case 'lines':
      return <LinesInput {...shared} example={field.example} value={value} onChange={onChange} />;
    case 'choice':
      return (
        <select
          {...shared}
          className="input"
          value={field.options.findIndex((option) => option.value === value)}
          onChange={({ target }) => onChange(field.options[Number(target.value)]?.value)}
        >
          {field.options.map(({ label }, at) => (
            <option key={label} value={at}>
              {label}
            </option>
          ))}
        </select>
      );
    case 'instant':
      return <InstantInput {...shared} value={value} onChange={onChange} />;
    case 'owner':
      return <OwnerField {...shared} value={value} onChange={onChange} />;
    case 'rows':
      return (
        <RowsField
          label={field.label}
          add={field.add}
          cells={field.cells}
          rows={(value ?? []) as readonly Row[]}
          onChange={onChange}
        />
      );
    case 'pairs':
      return <PairsInput field={field} value={value} onChange={onChange} />;
  }
}

interface InputProps {
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
}

/** Texts, one a line. The text itself is kept, so that an empty line can be typed. */
function LinesInput({
  value,
  example,
  onChange,
  ...shared
}: InputProps & { readonly id: string; readonly example?: string | undefined }) {
  const lines = (value ?? []) as readonly string[];
  const [text, setText] = useState(() => lines.join('\n'));
  const shown = linesOf(text).join('\n') === lines.join('\n') ? text : lines.join('\n');
  return (
    <textarea
      {...shared}
      className="input mono"
      rows={Math.min(8, Math.max(2, lines.length + 1))}
      placeholder={example}
      spellCheck={false}
      value={shown}
      onChange={({ target }) => {
        setText(target.value);
        const now = linesOf(target.value);
        onChange(now.length === 0 ? undefined : now);
      }}
    />
  );
}

function linesOf(text: string): readonly string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/** A time in the zone of the browser. The text is kept, as a time is not one until it is typed in full. */
function InstantInput({ value: _value, onChange, ...shared }: InputProps & { readonly id: string }) {
  const [text, setText] = useState('');
  return (
    <input
      {...shared}
      className="input"
      type="datetime-local"
      value={text}
      onChange={({ target }) => {
        setText(target.value);
        onChange(target.value === '' ? undefined : new Date(target.value).toISOString());
      }}
    />
  );
}

/** An object as rows of a name and a value. The rows are kept: two of them may have one name while it is typed. */
function PairsInput({
  field,
  value,
  onChange,
}: InputProps & { readonly field: Extract<Field, { readonly type: 'pairs' }> }) {
  const [key, of] = field.cells;
  const entries = (value ?? {}) as Readonly<Record<string, string>>;
  const [rows, setRows] = useState<readonly Row[]>([]);
  const objectOf = (some: readonly Row[]) =>
    Object.fromEntries(some.map((row) => [row[key.name] ?? '', row[of.name] ?? '']));
  const isCurrent = JSON.stringify(objectOf(rows)) === JSON.stringify(entries);
  const shown = isCurrent
    ? rows
    : Object.entries(entries).map(([name, text]) => ({ [key.name]: name, [of.name]: text }));
  return (
    <RowsField
      label={field.label}
      add={field.add}
      cells={field.cells}
      rows={shown}
      onChange={(now) => {
        setRows(now);
        onChange(objectOf(now));
      }}
    />
  );
}
