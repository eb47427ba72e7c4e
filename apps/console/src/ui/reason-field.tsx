import { useId } from 'react';

/** Why, for the history and the audit. */
export function ReasonField({
  value,
  onChange,
}: {
  readonly value: string;
  readonly onChange: (value: string) => void;
}) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>Reason (optional, kept in the history)</label>
      <input
        id={id}
        className="input"
        maxLength={1024}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </div>
  );
}
