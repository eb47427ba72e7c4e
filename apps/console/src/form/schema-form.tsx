import '../styles/schema-form.css';
import { type KeyboardEvent, useRef } from 'react';
import type { Schema } from '../editor/schema-help.ts';
import { Form, type FormContext, type FormFault } from './context.ts';
import { Field, Others } from './field.tsx';
import { type FormText, readText, replaceScalar } from './form-text.ts';
import { shapeOf } from './shape.ts';
import { deleteIn, type Path, renameIn, setIn, setOthersIn } from './tree.ts';

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
  const known = useRef<FormText | null>(null);
  if (known.current?.text !== text) known.current = readText(text);
  const read = known.current;
  const { tree, document } = read;
  const form: FormContext = {
    root: schema,
    text,
    document,
    tree,
    faults,
    isLocked: (path: Path) => locked.includes(`/${path.join('/')}`),
    set: (path, yaml) => {
      const next = replaceScalar(read, path, yaml);
      if (next !== null) known.current = next;
      onChange(next?.text ?? setIn(text, path, yaml));
    },
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
