import type { ReactNode } from 'react';
import { stringify } from 'yaml';
import { type Schema, skeleton } from '../editor/schema-help.ts';
import { Icon } from '../ui/icon.tsx';
import { useForm } from './context.ts';
import { type Path, valueIn } from './tree.ts';

/** More items than this are edited as YAML: each is a field of the page. */
const mostItems = 100;

/** Items of a list, each with a way to take it away. */
export function ListField({
  path,
  name,
  item,
  children,
}: {
  readonly path: Path;
  readonly name: string;
  readonly item: Schema;
  readonly children: (index: number) => ReactNode;
}) {
  const form = useForm();
  const value = valueIn(form.tree, path);
  const items: readonly unknown[] = Array.isArray(value) ? value : [];
  const add = () => form.set([...path, items.length], stringify(skeleton(item, form.root)));
  return (
    <>
      {items.slice(0, mostItems).map((_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an item is its place, its content comes from the text
        <div key={index} className="item">
          {children(index)}
          <button
            type="button"
            className="button quiet"
            aria-label={`Remove ${name} ${index + 1}`}
            onClick={() => form.remove([...path, index])}
          >
            <Icon name="close" />
          </button>
        </div>
      ))}
      {items.length > mostItems ? (
        <p className="hint">The YAML view has all {items.length}.</p>
      ) : (
        <button type="button" className="button" onClick={add}>
          <Icon name="plus" />
          Add to {name}
        </button>
      )}
    </>
  );
}
