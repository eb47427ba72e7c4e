import { Icon } from '../ui/icon.tsx';
import { useForm } from './context.ts';
import { type Path, textAsYaml, valueIn } from './tree.ts';

/** Names with texts, such as labels. */
export function MapField({ path, name }: { readonly path: Path; readonly name: string }) {
  const form = useForm();
  const value = valueIn(form.tree, path);
  const entries = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  const isTaken = entries.some(([key]) => key === '');
  return (
    <>
      {entries.map(([key, text], index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the name is what is typed, so it cannot be the key
        <div key={index} className="pair">
          <input
            className="input mono"
            aria-label={`Name ${index + 1} of ${name}`}
            spellCheck={false}
            value={key}
            onChange={({ target }) => form.rename([...path, key], target.value)}
          />
          <input
            className="input mono"
            aria-label={`Value of ${key === '' ? `name ${index + 1}` : key}`}
            spellCheck={false}
            value={typeof text === 'string' ? text : ''}
            onChange={({ target }) => form.set([...path, key], textAsYaml(target.value))}
          />
          <button
            type="button"
            className="button quiet"
            aria-label={`Remove ${key === '' ? `name ${index + 1}` : key}`}
            onClick={() => form.remove([...path, key])}
          >
            <Icon name="close" />
          </button>
        </div>
      ))}
      <button
        type="button"
        className="button"
        disabled={isTaken}
        onClick={() => form.set([...path, ''], '""')}
      >
        <Icon name="plus" />
        Add to {name}
      </button>
    </>
  );
}
