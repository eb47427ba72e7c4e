import { type ReactNode, useId } from 'react';

/** A titled box. `flush` lets a list or a table reach its edges. */
export function Card({
  title,
  actions,
  flush = false,
  children,
}: {
  readonly title: ReactNode;
  readonly actions?: ReactNode;
  readonly flush?: boolean;
  readonly children: ReactNode;
}) {
  const id = useId();
  return (
    <section className="card" aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
        <span className="spring" />
        {actions}
      </header>
      <div className={flush ? 'body flush' : 'body'}>{children}</div>
    </section>
  );
}
