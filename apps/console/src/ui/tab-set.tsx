import { useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef } from 'react';
import { Tab, TabList, TabPanel, Tabs } from 'react-aria-components';
import { visibleText } from '../logic/visible-text.ts';

export interface TabItem {
  readonly id: string;
  readonly label: string;
  readonly content: () => ReactNode;
}

/** Tabs whose choice is part of the URL. They activate on Enter, since each loads something. */
export function TabSet({ label, tabs }: { readonly label: string; readonly tabs: readonly TabItem[] }) {
  const { tab } = useSearch({ strict: false });
  const navigate = useNavigate();
  const [first] = tabs;
  const selected = tabs.find((one) => one.id === tab) ?? first;
  const select = (id: string) =>
    void navigate({
      to: '.',
      search: (before) => ({ in: before.in, tab: id === first?.id ? undefined : id }),
      resetScroll: false,
    });
  return (
    <Tabs
      className="tabs"
      keyboardActivation="manual"
      selectedKey={selected?.id ?? ''}
      onSelectionChange={(key) => select(String(key))}
    >
      <TabList aria-label={label} items={tabs}>
        {({ id, label: text }) => (
          <Tab id={id}>{({ isSelected }) => <TabLabel isSelected={isSelected}>{text}</TabLabel>}</Tab>
        )}
      </TabList>
      {tabs.map(({ id, content }) => (
        <TabPanel key={id} id={id}>
          {tab === undefined || tab === id ? null : (
            <p className="banner" data-tone="info">
              There is no “{visibleText(tab)}” here; this is “{selected?.label}”.
            </p>
          )}
          {id === selected?.id ? content() : null}
        </TabPanel>
      ))}
    </Tabs>
  );
}

/** On a narrow screen the list scrolls, and a link may lead to any of its tabs. */
function TabLabel({ isSelected, children }: { readonly isSelected: boolean; readonly children: string }) {
  const label = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    if (isSelected) label.current?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [isSelected]);
  return <span ref={label}>{children}</span>;
}
