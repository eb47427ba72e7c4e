import { setDiagnostics } from '@codemirror/lint';
import { EditorState, Transaction } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { useLayoutEffect, useRef } from 'react';
import type { Schema } from './schema-help.ts';
import { textChanges } from './text-changes.ts';
import {
  diagnosticsOf,
  type EditorSurroundings,
  type MarkedText,
  yamlExtensions,
} from './yaml-extensions.ts';

/** A YAML text that is edited. It keeps its own state; `text` replaces the content only when it differs. */
export function YamlEditor({
  label,
  text,
  basis = '',
  schema,
  marked,
  isReadOnly,
  onChange,
  onReview,
}: {
  readonly label: string;
  readonly text: string;
  /** The stored resource and revision that the text is based on. */
  readonly basis?: string;
  /** The schema of the whole document, for completion. */
  readonly schema: Schema;
  /** The faults that the server has found. */
  readonly marked: MarkedText;
  readonly isReadOnly: boolean;
  readonly onChange: (text: string) => void;
  readonly onReview: () => void;
}) {
  const box = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const before = useRef(basis);
  const latest = useRef<EditorSurroundings>({ onChange, onReview, schema, marked });
  latest.current = { onChange, onReview, schema, marked };

  // biome-ignore lint/correctness/useExhaustiveDependencies: the editor is made once; later texts are put into it below
  useLayoutEffect(() => {
    const parent = box.current;
    if (parent === null) return;
    const own = new EditorView({
      parent,
      state: EditorState.create({
        doc: text,
        extensions: yamlExtensions(label, isReadOnly, latest),
      }),
    });
    view.current = own;
    return () => own.destroy();
  }, [label, isReadOnly]);

  // With the render, not after it: a key that is typed in between is not in `text` yet, and would be taken back.
  useLayoutEffect(() => {
    const own = view.current;
    const shown = own?.state.doc.toString();
    const isOfOthers = basis !== before.current;
    before.current = basis;
    if (own === null || shown === undefined || shown === text) return;
    own.dispatch({
      changes: [...textChanges(shown, text)],
      // Undo takes back what was typed, not what others have stored.
      annotations: Transaction.addToHistory.of(!isOfOthers),
    });
  }, [text, basis]);

  useLayoutEffect(() => {
    const own = view.current;
    if (own !== null) own.dispatch(setDiagnostics(own.state, diagnosticsOf(own.state, marked)));
  }, [marked]);

  return <div ref={box} className="editor" />;
}
