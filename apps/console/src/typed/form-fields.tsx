import { useId } from 'react';
import type { RequestError } from '../api/http.ts';
import { FieldInput } from './field-input.tsx';
import { type Body, type Field, valueAt, withValue } from './fields.ts';

/** The fields of a form, each with its hint and the faults that the server found in it. */
export function FormFields({
  fields,
  body,
  error,
  onChange,
}: {
  readonly fields: readonly Field[];
  readonly body: Body;
  readonly error: RequestError | null;
  readonly onChange: (body: Body) => void;
}) {
  return fields.map((field) => (
    <FormField
      key={field.path}
      field={field}
      value={valueAt(body, field.path)}
      faults={faultsOf(error, field.path)}
      onChange={(value) => onChange(withValue(body, field.path, value))}
    />
  ));
}

/** The errors of the server about a field or a part of it. */
function faultsOf(error: RequestError | null, path: string): readonly string[] {
  return (error?.problem?.errors ?? [])
    .filter((fault) => fault.path === path || fault.path.startsWith(`${path}/`))
    .map((fault) =>
      fault.path === path ? fault.message : `${fault.path.slice(path.length + 1)}: ${fault.message}`,
    );
}

function FormField({
  field,
  value,
  faults,
  onChange,
}: {
  readonly field: Field;
  readonly value: unknown;
  readonly faults: readonly string[];
  readonly onChange: (value: unknown) => void;
}) {
  const id = useId();
  const described = `${id}-notes`;
  const hasNotes = field.hint !== undefined || faults.length > 0;
  const labelsItself = field.type === 'rows' || field.type === 'pairs';
  return (
    <div className="field">
      {labelsItself ? null : (
        <label htmlFor={id}>
          {field.label}
          {field.required ? null : <span className="optional"> (optional)</span>}
        </label>
      )}
      <FieldInput
        field={field}
        id={id}
        described={hasNotes ? described : undefined}
        value={value}
        isFaulty={faults.length > 0}
        onChange={onChange}
      />
      {hasNotes ? (
        <div id={described}>
          {faults.map((fault) => (
            <p key={fault} className="fault">
              {fault}
            </p>
          ))}
          {field.hint === undefined ? null : <p className="hint">{field.hint}</p>}
        </div>
      ) : null}
    </div>
  );
}
