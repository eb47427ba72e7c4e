import { CopyButton } from './copy-button.tsx';

/** A command of the terminal, to be copied. */
export function Command({ text, label }: { readonly text: string; readonly label: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reached by keys
    <section className="command" aria-label={label} tabIndex={0}>
      <code>{text}</code>
      <CopyButton text={text} label={label} />
    </section>
  );
}
