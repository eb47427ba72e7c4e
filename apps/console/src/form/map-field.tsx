import { useEffect, useId, useState } from 'react';
import type { Document } from 'yaml';
import { Icon } from '../ui/icon.tsx';
import { useForm } from './context.ts';
import { namesIn, type Path, textAsYaml, valueIn } from './tree.ts';

/** Names with texts, such as labels. */
export function MapField({ path, name }: { readonly path: Path; readonly name: string }) {
  const form = useForm();
  const value = valueIn(form.tree, path);
  const keys = typeof value === 'object' && value !== null ? keysOf(value, form.document, path) : [];
  return (
    <>
      {keys.map((key, index) => {
        const text = valueIn(value, [key]);
        const own = key === '' ? `name ${index + 1}` : key;
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: the name is what is typed, so it cannot be the key
          <div key={index} className="pair">
            <NameInput
              label={`Name ${index + 1} of ${name}`}
              name={key}
              others={keys.filter((one) => one !== key)}
              onRename={(next) => form.rename([...path, key], next)}
            />
            <input
              className="input mono"
              aria-label={`Value of ${own}`}
              spellCheck={false}
              value={typeof text === 'string' ? text : ''}
              onChange={({ target }) => form.set([...path, key], textAsYaml(target.value))}
            />
            <button
              type="button"
              className="button quiet"
              aria-label={`Remove ${own}`}
              onClick={() => form.remove([...path, key])}
            >
              <Icon name="close" />
            </button>
          </div>
        );
      })}
      <button
        type="button"
        className="button"
        disabled={keys.includes('')}
        onClick={() => form.set([...path, ''], '""')}
      >
        <Icon name="plus" />
        Add to {name}
      </button>
    </>
  );
}

/** The document is asked only when the order of the object may differ from it. */
function keysOf(value: object, document: () => Document, path: Path): readonly string[] {
  const keys = Object.keys(value);
  return keys.some((key) => /^\d+$/.test(key)) ? namesIn(document(), path) : keys;
}

/** A name that is typed may be that of another member for a moment: two equal names are no YAML, so the draft keeps the one before. */
function NameInput({
  label,
  name,
  others,
  onRename,
}: {
  readonly label: string;
  readonly name: string;
  readonly others: readonly string[];
  readonly onRename: (name: string) => void;
}) {
  const id = useId();
  const [typed, setTyped] = useState(name);
  useEffect(() => setTyped(name), [name]);
  const isTaken = others.includes(typed);
  const change = (next: string) => {
    setTyped(next);
    if (!others.includes(next) && next !== name) onRename(next);
  };
  return (
    <span className="name">
      <input
        className="input mono"
        aria-label={label}
        aria-invalid={isTaken}
        aria-describedby={isTaken ? id : undefined}
        spellCheck={false}
        value={typed}
        onChange={({ target }) => change(target.value)}
      />
      {isTaken ? (
        <span id={id} className="fault" role="status">
          Another one has this name. This one keeps {name === '' ? 'an empty name' : name} until you choose
          another.
        </span>
      ) : null}
    </span>
  );
}
