import { groupBy } from '../logic/group-by.ts';
import type { Center, Descendant, Graph, GraphEdge, GraphNode } from './graph.ts';

/** Siblings of one kind from this number on are one node. */
const foldFrom = 8;
/** A screen has room for so many nodes. The siblings after them are shown as groups. */
export const mostNodes = 150;
const mostEdges = 300;

type Member = Omit<Descendant, 'ancestors'>;

/** Collects nodes and edges from the center outwards, and folds what is too much. */
export class GraphBuilder {
  readonly #nodes = new Map<string, GraphNode>();
  readonly #edges: GraphEdge[] = [];
  /** The node that stands for a resource by kind and names, itself or the group that it is in. */
  readonly #drawn = new Map<string, string>();
  readonly #groups = new Map<string, number>();
  readonly #center: Center;
  #folded = 0;
  #isCut = false;

  constructor(center: Center) {
    this.#center = center;
    this.#nodes.set(center.uid, { ...node(center), isCenter: true });
    this.#drawn.set(keyOf(center.kind, [...center.ancestors, center.name]), center.uid);
  }

  /** Adds what the center belongs to. A parent may be an owner, too. */
  addBefore(member: Member, relation: GraphEdge['relation']): void {
    if (this.#isFull(1)) {
      this.#folded += 1;
      return;
    }
    this.#nodes.set(member.uid, node(member));
    this.#edges.push({ from: member.uid, to: this.#center.uid, relation });
  }

  /** Adds resources of one kind after the node that they belong to. `names` are those of their ancestors, where they have a table. */
  addSiblings(
    from: string,
    members: readonly Member[],
    relation: GraphEdge['relation'],
    names: readonly string[] | null,
    isCut = false,
  ): void {
    const [first] = members;
    if (first === undefined) return;
    const isFolded = members.length >= foldFrom || this.#groups.has(from) || this.#isFull(members.length);
    if (isFolded) this.#fold(from, members, relation, names, isCut);
    for (const one of members) {
      const id = isFolded ? groupId(from, one, relation) : one.uid;
      if (!isFolded) {
        this.#nodes.set(id, node(one));
        this.#edges.push({ from, to: id, relation });
      }
      if (names !== null && this.#nodes.has(id)) this.#drawn.set(keyOf(one.kind, [...names, one.name]), id);
    }
  }

  /** Adds one kind at one level, each resource after its parent. Those whose parent is not drawn are not, either. */
  addLevel(parentKind: string, items: readonly Descendant[], isCut: boolean): void {
    this.#isCut ||= isCut;
    const families = groupBy(items, ({ ancestors }) => ancestors.join('/'));
    for (const members of families.values()) {
      const names = members[0]?.ancestors ?? [];
      const parent = this.#drawn.get(keyOf(parentKind, names));
      if (parent !== undefined) this.addSiblings(parent, members, 'parent', names, isCut);
    }
  }

  result(): Graph {
    return {
      nodes: [...this.#nodes.values()],
      edges: this.#edges,
      folded: this.#folded,
      isCut: this.#isCut,
    };
  }

  #isFull(more: number): boolean {
    return this.#nodes.size + more > mostNodes || this.#edges.length + more > mostEdges;
  }

  #fold(
    from: string,
    members: readonly Member[],
    relation: GraphEdge['relation'],
    names: readonly string[] | null,
    isCut: boolean,
  ): void {
    const [first] = members as [Member, ...Member[]];
    const { apiVersion, kind } = first;
    const id = groupId(from, first, relation);
    const before = this.#nodes.get(id);
    const count = (this.#groups.get(id) ?? 0) + members.length;
    this.#folded += members.length;
    if (before === undefined && this.#isFull(1)) {
      this.#isCut = true;
      return;
    }
    this.#groups.set(id, count);
    // Members of several parents: every parent in sight.
    const open = this.#groups.has(from)
      ? [...this.#center.ancestors, this.#center.name, ...(names ?? []).map(() => '-')].slice(
          0,
          names?.length,
        )
      : names;
    this.#nodes.set(id, {
      id,
      title: `${count.toLocaleString('en')}${isCut ? '+' : ''} × ${kind}`,
      kind,
      identity: null,
      isCenter: false,
      table: open === null ? null : { apiVersion, names: open },
      deleting: (before?.deleting ?? 0) + members.filter(({ deleting }) => deleting).length,
    });
    if (before === undefined) this.#edges.push({ from, to: id, relation });
  }
}

function node({ uid, name, kind, apiVersion, deleting }: Member): GraphNode {
  const identity = { apiVersion, kind, name, uid };
  return { id: uid, title: name, kind, deleting: deleting ? 1 : 0, identity, table: null, isCenter: false };
}

function groupId(from: string, { apiVersion, kind }: Member, relation: GraphEdge['relation']): string {
  return `${from} ${relation} ${apiVersion} ${kind}`;
}

function keyOf(kind: string, names: readonly string[]): string {
  return `${kind} ${names.join('/')}`;
}
