import type { ReactNode } from 'react';
import type { TypedItem } from '../../typed/kind.ts';
import { Card } from '../../ui/card.tsx';
import { CopyButton } from '../../ui/copy.tsx';
import { Age } from '../../ui/time.tsx';

export type Fact = readonly [label: string, value: ReactNode];

/** The facts about a typed resource: its own first, then those that all have. */
export function ItemFacts({ item, facts }: { readonly item: TypedItem; readonly facts: readonly Fact[] }) {
  const all: readonly Fact[] = [
    ...facts,
    ['Uid', <Copied key="uid" text={item.uid} label="the uid" />],
    ['Revision', item.revision],
    ['Age', <Age key="age" time={item.created_at} />],
  ];
  return (
    <Card title="Overview">
      <dl className="facts">
        {all.map(([label, value]) => (
          <div key={label} className="fact">
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}

/** A text that people need elsewhere. */
export function Copied({ text, label }: { readonly text: string; readonly label: string }) {
  return (
    <span className="with-copy">
      <code>{text}</code>
      <CopyButton text={text} label={label} />
    </span>
  );
}
