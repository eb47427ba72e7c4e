import '../styles/schema-form.css';
import { type KeyboardEvent, useMemo } from 'react';
import type { Document } from 'yaml';
import type { Schema } from '../editor/schema-help.ts';
import { Form, type FormContext, type FormFault } from './context.ts';
import { Field, Others } from './field.tsx';
import { shapeOf } from './shape.ts';
import { deleteIn, documentOf, type Path, readTree, renameIn, setIn, setOthersIn } from './tree.ts';

/** A form over a YAML text. Each change is one change of the text, so both views are always the same draft. */
export function SchemaForm({
  label,
  text,
  schema,
  faults,
  locked,
  isReadOnly,
  onChange,
  onReview,
}: {
  readonly label: string;
  readonly text: string;
  /** The schema of the whole document. */
  readonly schema: Schema;
  readonly faults: readonly FormFault[];
  /** Places that cannot change any more, as pointers. */
  readonly locked: readonly string[];
  readonly isReadOnly: boolean;
  readonly onChange: (text: string) => void;
  readonly onReview: () => void;
}) {
  const tree = useMemo(() => readTree(text), [text]);
  const document = useMemo(() => {
    let parsed: Document | undefined;
    return () => {
      parsed ??= documentOf(text);
      return parsed;
    };
  }, [text]);
  const form: FormContext = {
    root: schema,
    text,
    document,
    tree,
    faults,
    isLocked: (path: Path) => locked.includes(`/${path.join('/')}`),
    set: (path, yaml) => onChange(setIn(text, path, yaml)),
    remove: (path) => onChange(deleteIn(text, path)),
    setOthers: (path, named, yaml) => {
      const next = setOthersIn(text, path, named, yaml);
      if (next !== null) onChange(next);
      return next !== null;
    },
    rename: (path, name) => onChange(renameIn(text, path, name)),
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key.toLowerCase() !== 's' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    onReview();
  };
  const shape = shapeOf(schema, schema);
  if (tree === null || typeof tree !== 'object' || shape.is !== 'object') {
    return <p className="banner">The text is no YAML with members. Correct it in the YAML view first.</p>;
  }
  return (
    <Form value={form}>
      <form
        className="card"
        aria-label={label}
        onSubmit={(event) => event.preventDefault()}
        onKeyDown={onKeyDown}
      >
        <fieldset className="schema-form" disabled={isReadOnly}>
          {shape.members.map((member) => (
            <Field key={member.name} member={member} path={[member.name]} depth={0} />
          ))}
          <Others shape={shape} path={[]} />
        </fieldset>
      </form>
    </Form>
  );
}
