import { autocompletion, type CompletionContext, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { yaml } from '@codemirror/lang-yaml';
import { bracketMatching, HighlightStyle, indentUnit, syntaxHighlighting } from '@codemirror/language';
import { type Diagnostic, linter, lintGutter } from '@codemirror/lint';
import { EditorState, type Extension } from '@codemirror/state';
import { EditorView, highlightSpecialChars, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { hiddenCharacters, visibleText } from '../logic/visible-text.ts';
import { faultsOf, type TextFault } from './draft-text.ts';
import { type Schema, suggest } from './schema-help.ts';

/** The surroundings of an editor: they change, while the editor is made once. */
export interface EditorSurroundings {
  readonly onChange: (text: string) => void;
  readonly onReview: () => void;
  readonly schema: Schema;
  readonly marked: MarkedText;
}

/** A text that was reviewed, with the faults that the server has found in it. */
export interface MarkedText {
  readonly text: string;
  readonly faults: readonly TextFault[];
}

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

/** The parts of the editor for YAML: help with typing, faults, keys, and what it tells its surroundings. */
export function yamlExtensions(
  label: string,
  isReadOnly: boolean,
  latest: { readonly current: EditorSurroundings },
): Extension {
  return [
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
    linter((one) => diagnosticsOf(one.state, latest.current.marked), { delay: 150 }),
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
  ];
}

/** Stands in the text for a character that hides, or turns the text around. */
function escapeOf(code: number): HTMLElement {
  const mark = document.createElement('span');
  mark.className = 'hidden-character';
  mark.textContent = visibleText(String.fromCodePoint(code));
  return mark;
}

/** The faults of a text as YAML, and those of the server while it is the text that was reviewed. */
export function diagnosticsOf({ doc }: EditorState, { text, faults }: MarkedText): readonly Diagnostic[] {
  const own = doc.toString();
  return [...faultsOf(own), ...(own === text ? faults : [])].map(diagnosticOf);
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
