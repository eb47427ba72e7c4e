import { CopyButton } from './copy-button.tsx';

/** A command of the terminal, to be copied. */
export function Command({ text, label }: { readonly text: string; readonly label: string }) {
  return (
    <section className="command" aria-label={label}>
      <code>{text}</code>
      <CopyButton text={text} label={label} />
    </section>
  );
}
