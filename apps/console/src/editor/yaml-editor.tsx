import { autocompletion, type CompletionContext, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { yaml } from '@codemirror/lang-yaml';
import { bracketMatching, HighlightStyle, indentUnit, syntaxHighlighting } from '@codemirror/language';
import { type Diagnostic, linter, lintGutter, setDiagnostics } from '@codemirror/lint';
import { EditorState, Transaction } from '@codemirror/state';
import { EditorView, highlightSpecialChars, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { useLayoutEffect, useRef } from 'react';
import { hiddenCharacters, visibleText } from '../logic/visible-text.ts';
import { faultsOf, type TextFault } from './draft-text.ts';
import { type Schema, suggest } from './schema-help.ts';
import { textChanges } from './text-changes.ts';

const colours = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--accent)' },
  { tag: tags.string, color: 'var(--ok)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--del)' },
  { tag: tags.comment, color: 'var(--muted)' },
]);

/** The nonce of the page: CodeMirror inserts style elements, which the content security policy allows only with it. */
function pageNonce(): string {
  return document.querySelector<HTMLElement>('meta[property="csp-nonce"]')?.nonce ?? '';
}

/** A YAML text that is edited. It keeps its own state; `text` replaces the content only when it differs. */
export function YamlEditor({
  label,
  text,
  revision = 0,
  schema,
  faults,
  isReadOnly,
  onChange,
  onReview,
}: {
  readonly label: string;
  readonly text: string;
  /** The stored revision that the text is based on. */
  readonly revision?: number;
  /** Of the whole document, for completion. */
  readonly schema: Schema;
  /** Of the server, for the text as it is. */
  readonly faults: readonly TextFault[];
  readonly isReadOnly: boolean;
  readonly onChange: (text: string) => void;
  readonly onReview: () => void;
}) {
  const box = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const before = useRef(revision);
  const latest = useRef({ onChange, onReview, schema });
  latest.current = { onChange, onReview, schema };

  // biome-ignore lint/correctness/useExhaustiveDependencies: the editor is made once; later texts are put into it below
  useLayoutEffect(() => {
    const parent = box.current;
    if (parent === null) return;
    const own = new EditorView({
      parent,
      state: EditorState.create({
        doc: text,
        extensions: [
          EditorView.cspNonce.of(pageNonce()),
          EditorView.contentAttributes.of({
            'aria-label': `${label}. Escape, then Tab leaves the editor`,
            // A box that scrolls must be reached by keys.
            tabindex: '0',
          }),
          EditorView.lineWrapping,
          EditorState.readOnly.of(isReadOnly),
          lineNumbers(),
          highlightSpecialChars({ specialChars: hiddenCharacters, render: (code) => escapeOf(code) }),
          history(),
          bracketMatching(),
          indentUnit.of('  '),
          yaml(),
          syntaxHighlighting(colours),
          lintGutter(),
          linter((one) => faultsOf(one.state.doc.toString()).map(diagnosticOf), { delay: 150 }),
          autocompletion({ override: [(context) => complete(context, latest.current.schema)], icons: false }),
          keymap.of([
            {
              key: 'Mod-s',
              run: () => {
                latest.current.onReview();
                return true;
              },
            },
            ...completionKeymap,
            indentWithTab,
            ...historyKeymap,
            ...defaultKeymap,
          ]),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) latest.current.onChange(update.state.doc.toString());
          }),
        ],
      }),
    });
    view.current = own;
    return () => own.destroy();
  }, [label, isReadOnly]);

  // With the render, not after it: a key that is typed in between is not in `text` yet, and would be taken back.
  useLayoutEffect(() => {
    const own = view.current;
    const shown = own?.state.doc.toString();
    const isOfOthers = revision !== before.current;
    before.current = revision;
    if (own === null || shown === undefined || shown === text) return;
    own.dispatch({
      changes: [...textChanges(shown, text)],
      // Undo takes back what was typed, not what others have stored.
      annotations: Transaction.addToHistory.of(!isOfOthers),
    });
  }, [text, revision]);

  useLayoutEffect(() => {
    const own = view.current;
    if (own !== null) own.dispatch(setDiagnostics(own.state, faults.map(diagnosticOf)));
  }, [faults]);

  return <div ref={box} className="editor" />;
}

/** Stands in the text for a character that hides, or turns the text around. */
function escapeOf(code: number): HTMLElement {
  const mark = document.createElement('span');
  mark.className = 'hidden-character';
  mark.textContent = visibleText(String.fromCodePoint(code));
  return mark;
}

function diagnosticOf({ from, to, message }: TextFault): Diagnostic {
  return { from, to, message, severity: 'error' };
}

function complete(context: CompletionContext, schema: Schema) {
  const line = context.state.doc.lineAt(context.pos);
  const word = context.matchBefore(/[\w./-]*$/);
  if (!context.explicit && (word === null || word.from === word.to)) return null;
  const lines = context.state.doc.sliceString(0, context.pos).split('\n');
  const options = suggest(schema, lines, line.number - 1).map(({ label, detail, info, insert }) => ({
    label,
    detail,
    apply: insert,
    ...(info === undefined ? {} : { info }),
  }));
  return { from: word?.from ?? context.pos, options };
}
