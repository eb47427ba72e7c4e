import { type ReactNode, useEffect, useRef } from 'react';

/** The head of a page. It takes the focus and names the tab, as a new document would. */
export function Page({
  title,
  tab,
  crumbs,
  badges,
  actions,
  children,
}: {
  readonly title: string;
  /** More exact than the title, for the tab of the browser. */
  readonly tab?: string;
  readonly crumbs?: ReactNode;
  readonly badges?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  const name = tab ?? title;
  useEffect(() => {
    document.title = `${name}, console`;
    const { activeElement } = document;
    // Not while something of the new page has the focus already.
    if (activeElement === document.body || activeElement?.closest('main') === null) {
      heading.current?.focus({ preventScroll: true });
    }
  }, [name]);
  return (
    <>
      {crumbs}
      <div className="page-head">
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {badges}
        <span className="spring" />
        {actions}
      </div>
      {children}
    </>
  );
}
