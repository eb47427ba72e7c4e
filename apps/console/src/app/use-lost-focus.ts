import { useEffect } from 'react';

/** A dialog or page that comes next takes the focus itself before that. */
const waitMs = 250;

/**
 * When the element with the focus goes, such as the last "Show more" of a list, the focus goes to what was around it and not to the
 * beginning of the document; after a dialog, to what had it on the page below.
 */
export function useLostFocus(): void {
  useEffect(() => {
    /** The element that had the focus last, and those around it. */
    let around: readonly Element[] = [];
    /** The element of the content that had the focus last, and those around it. No dialog is in the content. */
    let content: readonly Element[] = [];
    let path = '';
    let timer: ReturnType<typeof setTimeout> | undefined;
    const onFocus = ({ target }: FocusEvent) => {
      around = target instanceof Element ? [target, ...ancestorsOf(target)] : [];
      if (around.some(isContent)) content = around;
      path = window.location.pathname;
    };
    const recover = () => {
      if (document.activeElement !== document.body || path !== window.location.pathname) return;
      const place = [...around, ...content].find((one) => one.isConnected && one.closest('main') !== null);
      if (!(place instanceof HTMLElement)) return;
      // Also sets it where it is -1 by default, so that the element can have the focus.
      if (place.tabIndex < 0) place.tabIndex = -1;
      place.focus({ preventScroll: true });
    };
    const observer = new MutationObserver(() => {
      if (around[0]?.isConnected !== false || document.activeElement !== document.body) return;
      clearTimeout(timer);
      timer = setTimeout(recover, waitMs);
    });
    document.addEventListener('focusin', onFocus);
    observer.observe(document.body, { childList: true, subtree: true });
    return () => {
      clearTimeout(timer);
      observer.disconnect();
      document.removeEventListener('focusin', onFocus);
    };
  }, []);
}

function isContent(element: Element): boolean {
  return element.tagName === 'MAIN';
}

function ancestorsOf(element: Element): readonly Element[] {
  const parent = element.parentElement;
  return parent === null ? [] : [parent, ...ancestorsOf(parent)];
}
