import { useEffect, useState } from 'react';
import { faultsOf } from '../editor/draft-text.ts';
import { type InputProps, useForm } from './context.ts';
import { yamlIn } from './tree.ts';

/** A place that no form can show, as YAML. It becomes part of the draft when the text is YAML. */
export function YamlField({ path, ...input }: InputProps) {
  const form = useForm();
  const stored = yamlIn(form.text, path);
  const [typed, setTyped] = useState(stored);
  useEffect(() => setTyped(stored), [stored]);
  const [fault] = faultsOf(typed);
  const apply = () => {
    if (typed === stored || fault !== undefined) return;
    if (typed.trim() === '') form.remove(path);
    else form.set(path, typed);
  };
  return (
    <>
      <textarea
        {...input}
        className="input mono"
        rows={Math.min(16, Math.max(3, typed.split('\n').length + 1))}
        spellCheck={false}
        aria-invalid={input['aria-invalid'] || fault !== undefined}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
        onBlur={apply}
      />
      {fault === undefined ? null : <span className="fault">{fault.message}</span>}
    </>
  );
}
