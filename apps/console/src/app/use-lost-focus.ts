import { useEffect } from 'react';

/** A dialog or page that comes next takes the focus itself before that. */
const waitMs = 250;

/**
 * When the element with the focus goes, such as the last "Show more" of a list, the focus goes to what was around it and not to the
 * beginning of the document.
 */
export function useLostFocus(): void {
  useEffect(() => {
    /** The element that had the focus last, and those around it. */
    let around: readonly Element[] = [];
    let path = '';
    let timer: ReturnType<typeof setTimeout> | undefined;
    const onFocus = ({ target }: FocusEvent) => {
      around = target instanceof Element ? [target, ...ancestorsOf(target)] : [];
      path = window.location.pathname;
    };
    const recover = () => {
      if (document.activeElement !== document.body || path !== window.location.pathname) return;
      const place = around.find((one) => one.isConnected && one.closest('main') !== null);
      if (!(place instanceof HTMLElement)) return;
      if (!place.hasAttribute('tabindex')) place.tabIndex = -1;
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

function ancestorsOf(element: Element): readonly Element[] {
  const parent = element.parentElement;
  return parent === null ? [] : [parent, ...ancestorsOf(parent)];
}
