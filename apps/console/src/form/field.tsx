import { useId, useState } from 'react';
import { faultsAt, type InputProps, useForm } from './context.ts';
import { Choice, Line, OtherMembers, Several, YamlField } from './inputs.tsx';
import { ListField } from './list-field.tsx';
import { MapField } from './map-field.tsx';
import { brokenRule, type Rules, rulesOf, rulesText } from './rules.ts';
import { descriptionOf, type Member, type Shape, shapeOf } from './shape.ts';
import { type Path, valueIn } from './tree.ts';
import { useBrokenPattern } from './use-pattern.ts';

/** A member by the shape of its schema, with its description and its faults. */
export function Field({ member, path, depth }: FieldProps) {
  const form = useForm();
  const id = useId();
  const { name, schema, required } = member;
  const shape = whenFixed(shapeOf(schema, form.root, depth), required);
  const rules = rulesOf(schema, form.root);
  const broken = useBrokenRule(rules, shape, valueIn(form.tree, path));
  const isLine = shape?.is === 'text' || shape?.is === 'number';
  const texts = {
    hint: descriptionOf(schema, form.root),
    rules: isLine ? rulesText(rules) : undefined,
    fault: faultsAt(form, path) ?? broken,
  };
  if (shape === null) return null;
  const about = Object.entries(texts).flatMap(([name, text]) => (text === undefined ? [] : `${id}-${name}`));
  const input: InputProps = {
    id,
    path,
    required,
    disabled: form.isLocked(path),
    'aria-invalid': texts.fault !== undefined,
    'aria-describedby': about.length === 0 ? undefined : about.join(' '),
  };
  const notes = (
    <>
      <Note id={`${id}-hint`} className="hint" text={texts.hint} />
      <Note id={`${id}-rules`} className="hint" text={texts.rules} />
      <Note id={`${id}-fault`} className="fault" text={texts.fault} />
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
  if (isGroup(shape)) {
    return (
      <fieldset className="group" aria-describedby={input['aria-describedby']}>
        <legend>{title}</legend>
        {notes}
        <GroupInputs shape={shape} member={member} path={path} depth={depth} />
      </fieldset>
    );
  }
  return (
    <div className="field">
      <label htmlFor={id}>
        {title}
        {shape.is === 'yaml' ? <span className="hint"> YAML</span> : null}
      </label>
      <SingleInput shape={shape} input={input} />
      {notes}
    </div>
  );
}

/** The rule of the schema that a text or a number breaks as it stands, before the server is asked. */
function useBrokenRule(rules: Rules, shape: Shape | null, value: unknown): string | undefined {
  const isLine = shape?.is === 'text' || shape?.is === 'number';
  const text = isLine && typeof value === 'string' ? value : '';
  const isBroken = useBrokenPattern(shape?.is === 'text' ? rules.pattern : undefined, text);
  return (
    brokenRule(rules, text, shape?.is === 'number') ??
    (isBroken ? `It must match ${rules.pattern}` : undefined)
  );
}

/** A fixed value that must be there is no question; one that may be absent is a choice. */
function whenFixed(shape: Shape, required: boolean): Exclude<Shape, { is: 'fixed' }> | null {
  if (shape.is !== 'fixed') return shape;
  return required ? null : { is: 'choice', values: [shape.value] };
}

interface FieldProps {
  readonly member: Member;
  readonly path: Path;
  readonly depth: number;
}

function Note({ id, className, text }: { id: string; className: string; text: string | undefined }) {
  return text === undefined ? null : (
    <span id={id} className={className}>
      {text}
    </span>
  );
}

type GroupShape = Extract<Shape, { is: 'map' | 'several' | 'list' | 'object' }>;
type ObjectShape = Extract<Shape, { is: 'object' }>;
type SingleShape = Exclude<Shape, GroupShape | { is: 'fixed' }>;

function isGroup(shape: Exclude<Shape, { is: 'fixed' }>): shape is GroupShape {
  return ['map', 'several', 'list', 'object'].includes(shape.is);
}

function SingleInput({ shape, input }: { readonly shape: SingleShape; readonly input: InputProps }) {
  switch (shape.is) {
    case 'text':
    case 'number':
      return <Line {...input} isNumber={shape.is === 'number'} />;
    case 'choice':
      return <Choice {...input} values={shape.values} />;
    case 'boolean':
      return <Choice {...input} values={[true, false]} />;
    case 'yaml':
      return <YamlField {...input} />;
  }
}

function GroupInputs({ shape, member, path, depth }: FieldProps & { readonly shape: GroupShape }) {
  const form = useForm();
  const { name, required } = member;
  switch (shape.is) {
    case 'map':
      return <MapField path={path} name={name} />;
    case 'several':
      return <Several path={path} values={shape.values} />;
    case 'list':
      return (
        <ListField path={path} name={name} item={shape.item}>
          {(index) => (
            <Field
              member={{ name: `${name} ${index + 1}`, schema: shape.item, required: true }}
              path={[...path, index]}
              depth={depth + 1}
            />
          )}
        </ListField>
      );
    case 'object':
      return (
        <>
          <Members members={shape.members} path={path} depth={depth} />
          <Others shape={shape} path={path} />
          {valueIn(form.tree, path) !== undefined && !required && path.length > 1 ? (
            <button type="button" className="button quiet" onClick={() => form.remove(path)}>
              Remove {name}
            </button>
          ) : null}
        </>
      );
  }
}

/** The members that a schema allows and does not name: where it says so, and where there are some. */
export function Others({ shape, path }: { readonly shape: ObjectShape; readonly path: Path }) {
  const form = useForm();
  const id = useId();
  const named = shape.members.map(({ name }) => name);
  const value = valueIn(form.tree, path);
  const hasSome =
    typeof value === 'object' && value !== null && Object.keys(value).some((name) => !named.includes(name));
  const [isKept, setIsKept] = useState(false);
  // A field stays while somebody empties it.
  if (hasSome && !isKept) setIsKept(true);
  if (!shape.isOpen && !isKept) return null;
  const of = path.length === 0 ? 'the document' : path.join('.');
  return (
    <div className="field">
      <label htmlFor={id}>
        Other members<span className="visually-hidden"> of {of}</span>
        <span className="hint"> YAML</span>
      </label>
      <OtherMembers
        id={id}
        path={path}
        named={named}
        required={false}
        disabled={false}
        aria-invalid={false}
        aria-describedby={undefined}
      />
    </div>
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
