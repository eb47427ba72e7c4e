import { useId } from 'react';
import { faultsAt, type InputProps, useForm } from './context.ts';
import { Choice, Line, Several } from './inputs.tsx';
import { ListField } from './list-field.tsx';
import { MapField } from './map-field.tsx';
import { descriptionOf, type Member, shapeOf } from './shape.ts';
import { type Path, valueIn } from './tree.ts';
import { YamlField } from './yaml-field.tsx';

/** A member by the shape of its schema, with its description and its faults. */
export function Field({
  member,
  path,
  depth,
}: {
  readonly member: Member;
  readonly path: Path;
  readonly depth: number;
}) {
  const form = useForm();
  const id = useId();
  const { name, schema, required } = member;
  const shape = shapeOf(schema, form.root, depth);
  const fault = faultsAt(form, path);
  const hint = descriptionOf(schema, form.root);
  if (shape.is === 'fixed') return null;
  const about = [hint === undefined ? '' : `${id}-hint`, fault === undefined ? '' : `${id}-fault`].join(' ');
  const input: InputProps = {
    id,
    path,
    required,
    disabled: form.isLocked(path),
    'aria-invalid': fault !== undefined,
    'aria-describedby': about.trim() === '' ? undefined : about.trim(),
  };
  const notes = (
    <>
      {hint === undefined ? null : (
        <span id={`${id}-hint`} className="hint">
          {hint}
        </span>
      )}
      {fault === undefined ? null : (
        <span id={`${id}-fault`} className="fault">
          {fault}
        </span>
      )}
    </>
  );
  const title = (
    <>
      {name}
      {required ? (
        <span className="hint" aria-hidden="true">
          {' required'}
        </span>
      ) : null}
    </>
  );
  if (shape.is === 'text' || shape.is === 'number' || shape.is === 'choice' || shape.is === 'boolean') {
    const values = shape.is === 'choice' ? shape.values : [true, false];
    return (
      <div className="field">
        <label htmlFor={id}>{title}</label>
        {shape.is === 'text' || shape.is === 'number' ? (
          <Line {...input} isNumber={shape.is === 'number'} />
        ) : (
          <Choice {...input} values={values} />
        )}
        {notes}
      </div>
    );
  }
  if (shape.is === 'yaml') {
    return (
      <div className="field">
        <label htmlFor={id}>
          {title} <span className="hint">YAML</span>
        </label>
        <YamlField {...input} />
        {notes}
      </div>
    );
  }
  return (
    <fieldset className="group" aria-describedby={input['aria-describedby']}>
      <legend>{title}</legend>
      {notes}
      {shape.is === 'map' ? <MapField path={path} name={name} /> : null}
      {shape.is === 'several' ? <Several path={path} values={shape.values} /> : null}
      {shape.is === 'list' ? (
        <ListField path={path} name={name} item={shape.item}>
          {(index) => (
            <Field
              member={{ name: `${name} ${index + 1}`, schema: shape.item, required: true }}
              path={[...path, index]}
              depth={depth + 1}
            />
          )}
        </ListField>
      ) : null}
      {shape.is === 'object' ? <Members members={shape.members} path={path} depth={depth} /> : null}
      {shape.is === 'object' && valueIn(form.tree, path) !== undefined && !required && path.length > 1 ? (
        <button type="button" className="button quiet" onClick={() => form.remove(path)}>
          Remove {name}
        </button>
      ) : null}
    </fieldset>
  );
}

/** Seldom written by people, so they begin folded. */
const seldom = new Set(['annotations', 'finalizers', 'ownerReferences']);

function Members({
  members,
  path,
  depth,
}: {
  readonly members: readonly Member[];
  readonly path: Path;
  readonly depth: number;
}) {
  const isSeldom = ({ name }: Member) => path.length === 1 && path[0] === 'metadata' && seldom.has(name);
  const folded = members.filter(isSeldom);
  const field = (one: Member) => (
    <Field key={one.name} member={one} path={[...path, one.name]} depth={depth + 1} />
  );
  return (
    <>
      {members.filter((one) => !isSeldom(one)).map(field)}
      {folded.length === 0 ? null : (
        <details>
          <summary>More metadata</summary>
          <div className="folded">{folded.map(field)}</div>
        </details>
      )}
    </>
  );
}
