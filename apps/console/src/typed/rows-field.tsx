import { useId } from 'react';
import { Icon } from '../ui/icon.tsx';
import type { RowCell } from './fields.ts';

export type Row = Readonly<Record<string, string>>;

/** A list of rows of a few inputs each, such as the members of a team. */
export function RowsField({
  label,
  add,
  cells,
  rows,
  onChange,
}: {
  readonly label: string;
  /** The label of the button that adds a row. */
  readonly add: string;
  readonly cells: readonly RowCell[];
  readonly rows: readonly Row[];
  readonly onChange: (rows: readonly Row[]) => void;
}) {
  const id = useId();
  const change = (at: number, name: string, value: string) =>
    onChange(rows.map((row, index) => (index === at ? { ...row, [name]: value } : row)));
  const empty = Object.fromEntries(cells.map(({ name, options }) => [name, options?.[0] ?? '']));
  return (
    <fieldset className="rows-field" aria-labelledby={id}>
      <span className="label" id={id}>
        {label}
      </span>
      {rows.map((row, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a row has no other identity while it is typed
        <div key={at} className="row">
          {cells.map((cell) => (
            <RowInput
              key={cell.name}
              cell={cell}
              label={`${cell.label} ${at + 1}`}
              value={row[cell.name] ?? ''}
              onChange={(value) => change(at, cell.name, value)}
            />
          ))}
          <button
            type="button"
            className="button quiet"
            aria-label={`Remove row ${at + 1} of ${label}`}
            onClick={() => onChange(rows.filter((_, index) => index !== at))}
          >
            <Icon name="close" />
          </button>
        </div>
      ))}
      <button type="button" className="button" onClick={() => onChange([...rows, empty])}>
        <Icon name="plus" />
        {add}
      </button>
    </fieldset>
  );
}

function RowInput({
  cell,
  label,
  value,
  onChange,
}: {
  readonly cell: RowCell;
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}) {
  if (cell.options !== undefined) {
    return (
      <select
        className="input"
        aria-label={label}
        value={value}
        onChange={({ target }) => onChange(target.value)}
      >
        {cell.options.map((option) => (
          <option key={option}>{option}</option>
        ))}
      </select>
    );
  }
  return (
    <input
      className="input grow"
      aria-label={label}
      placeholder={cell.example}
      value={value}
      onChange={({ target }) => onChange(target.value)}
    />
  );
}
