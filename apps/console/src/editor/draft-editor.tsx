import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { RequestError } from '../api/http.ts';
import { SchemaForm } from '../form/schema-form.tsx';
import { placeOf, type TextFault } from './draft-text.ts';
import type { Schema } from './schema-help.ts';
import { YamlEditor } from './yaml-editor.tsx';

const none: readonly never[] = [];

/** Which of the two views of a draft the URL asks for, with the buttons that change it. */
export function ViewChoice() {
  const { as } = useSearch({ strict: false });
  const navigate = useNavigate();
  const show = (view: 'form' | undefined) =>
    void navigate({
      to: '.',
      search: (before) => ({ ...before, as: view }),
      replace: true,
      resetScroll: false,
    });
  return (
    <fieldset className="switch" aria-label="View of the draft">
      <button type="button" className="button" aria-pressed={as !== 'form'} onClick={() => show(undefined)}>
        YAML
      </button>
      <button type="button" className="button" aria-pressed={as === 'form'} onClick={() => show('form')}>
        Form
      </button>
    </fieldset>
  );
}

/** One draft as YAML or as a form; both edit the same text. */
export function DraftEditor({
  label,
  text,
  basis,
  schema,
  error,
  locked = none,
  isReadOnly = false,
  onChange,
  onReview,
}: {
  readonly label: string;
  readonly text: string;
  /** The stored resource and revision that the text is based on; a new resource has none. */
  readonly basis?: string;
  readonly schema: Schema;
  /** The faults that the server found in this text. */
  readonly error: unknown;
  readonly locked?: readonly string[];
  readonly isReadOnly?: boolean;
  readonly onChange: (text: string) => void;
  readonly onReview: () => void;
}) {
  const { as } = useSearch({ strict: false });
  // In the text that was there when they came: later ones have other places.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of the text brings no new faults
  const marked = useMemo(
    () => ({ text, faults: error instanceof RequestError ? faultsIn(text, error) : none }),
    [error],
  );
  if (as === 'form') {
    const faults = error instanceof RequestError ? (error.problem?.errors ?? none) : none;
    return (
      <SchemaForm
        label={`Form, ${label}`}
        text={text}
        schema={schema}
        faults={faults}
        locked={locked}
        isReadOnly={isReadOnly}
        onChange={onChange}
        onReview={onReview}
      />
    );
  }
  return (
    <YamlEditor
      label={`YAML, ${label}`}
      text={text}
      {...(basis === undefined ? {} : { basis })}
      schema={schema}
      marked={marked}
      isReadOnly={isReadOnly}
      onChange={onChange}
      onReview={onReview}
    />
  );
}

function faultsIn(text: string, { problem }: RequestError): readonly TextFault[] {
  return (problem?.errors ?? []).map(({ path, message }) => ({ ...placeOf(text, path), message }));
}
