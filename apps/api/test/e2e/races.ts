import { Run } from './address.ts';
import { RaceTrack } from './race-track.ts';
import type { Service } from './service.ts';

const rounds = Array.from({ length: 12 }, (_, round) => round);

/** Races between requests to the two API processes of a service, and how each may end. `prefix` keeps the runs apart. */
export function describeRaces(service: Service, prefix = 'r'): void {
  const track = new RaceTrack(service);
  afterEach(() => track.isSound());

  it('a create and the deletion of its parent leave no orphan and nothing live', async () => {
    const run = await track.kinds(new Run(`${prefix}a`));
    for (const round of rounds) {
      const name = `r${round}`;
      await track.given(run, 'Alpha', [name]);
      const [creating, deleting] = await track.together(round, [
        () => track.create(run, 'Beta', [name, 'child']),
        () => track.delete(run, 'Alpha', [name]),
      ]);
      expect([201, 404, 409]).toContain(creating.status);
      expect([200, 202]).toContain(deleting.status);
      expect(creating.status === 201).toBe(deleting.status === 202);
      await service.drained();
      expect((await track.get(run, 'Alpha', [name])).status).toBe(404);
    }
    expect(await track.rowsOf(run)).toEqual([]);
  });

  it('a create and the deletion of its grandparent leave nothing in the end', async () => {
    const run = await track.kinds(new Run(`${prefix}b`));
    for (const round of rounds) {
      const name = `r${round}`;
      await track.given(run, 'Alpha', [name]);
      await track.given(run, 'Beta', [name, 'b']);
      const [creating, deleting] = await track.together(round, [
        () => track.create(run, 'Gamma', [name, 'b', 'child']),
        () => track.delete(run, 'Alpha', [name]),
      ]);
      expect([201, 404, 409]).toContain(creating.status);
      expect(deleting.status).toBe(202);
    }
    await service.drained();
    expect(await track.rowsOf(run)).toEqual([]);
  });

  it('a reference and the deletion of its owner: the reference is refused, or its row goes too', async () => {
    const run = await track.kinds(new Run(`${prefix}c`));
    for (const round of rounds) {
      const owner = await track.given(run, 'Alpha', [`o${round}`]);
      const adopted = await track.given(run, 'Alpha', [`a${round}`]);
      const references = [track.ownedBy(owner, round % 2 === 0)];
      const [creating, adopting] = await track.together(round, [
        () => track.create(run, 'Alpha', [`c${round}`], { ownerReferences: references }),
        () => track.replace(run, adopted, { ownerReferences: references }),
        () => track.delete(run, 'Alpha', [`o${round}`]),
      ]);
      await service.drained();
      for (const [reply, name, refused] of [
        [creating, `c${round}`, 404],
        [adopting, `a${round}`, 200],
      ] as const) {
        const admitted = reply.status < 300;
        if (!admitted) expect(reply).toMatchObject({ status: 400, code: 'owner_reference_invalid' });
        expect((await track.get(run, 'Alpha', [name])).status).toBe(admitted ? 404 : refused);
      }
    }
  });

  it('a reference that is dropped and the deletion of its owner: the row stays, or was deleted before', async () => {
    const run = await track.kinds(new Run(`${prefix}m`), ['Alpha']);
    for (const round of rounds) {
      const owner = await track.given(run, 'Alpha', [`o${round}`]);
      const ownerReferences = [track.ownedBy(owner, round % 2 === 0)];
      const owned = await track.given(run, 'Alpha', [`d${round}`], { ownerReferences });
      const [dropping, deleting] = await track.together(round, [
        () => track.replace(run, owned, { ownerReferences: [] }),
        () => track.delete(run, 'Alpha', [`o${round}`]),
      ]);
      expect([200, 202]).toContain(deleting.status);
      expect([200, 404, 409]).toContain(dropping.status);
      await service.drained();
      const isKept = (await track.get(run, 'Alpha', [`d${round}`])).status === 200;
      expect(isKept).toBe(dropping.status === 200);
    }
  });

  it('a create and the deletion of its definition: one of them is refused', async () => {
    for (const round of rounds) {
      const run = await track.kinds(new Run(`${prefix}d${round}`), ['Alpha']);
      const [creating, deleting] = await track.together(round, [
        () => track.create(run, 'Alpha', ['one']),
        () => track.deleteDefinition(run, 'Alpha'),
      ]);
      if (creating.status === 201) expect(deleting).toMatchObject({ status: 409, code: 'definition_in_use' });
      else {
        expect(['unknown_collection', 'definition_terminating']).toContain(creating.code);
        expect(deleting.status).toBe(200);
      }
    }
  });

  it('a create and the removal of its version: one of them is refused', async () => {
    const withoutV1 = 4;
    for (const round of rounds) {
      const run = await track.kinds(new Run(`${prefix}e${round}`), ['Alpha']);
      const [creating, editing] = await track.together(round, [
        () => track.create(run, 'Alpha', ['one']),
        () => track.redefine(run, 'Alpha', withoutV1),
      ]);
      if (creating.status === 201) expect(editing).toMatchObject({ status: 409, code: 'version_in_use' });
      else expect([creating.code, editing.status]).toEqual(['unknown_collection', 200]);
    }
  });

  it('a finalizer and a deletion: the finalizer is too late, or holds the row', async () => {
    const run = await track.kinds(new Run(`${prefix}f`), ['Alpha']);
    for (const round of rounds) {
      const name = `r${round}`;
      await track.given(run, 'Alpha', [name]);
      const [holding, deleting] = await track.together(round, [
        () => track.hold(run, 'Alpha', [name]),
        () => track.delete(run, 'Alpha', [name]),
      ]);
      await service.drained();
      expect([holding.status, deleting.status]).toEqual(holding.status === 200 ? [200, 202] : [404, 200]);
      expect((await track.get(run, 'Alpha', [name])).status).toBe(holding.status);
    }
  });

  it('the collection of a dependent never touches its owner, nor what the owner hangs on', async () => {
    const run = await track.kinds(new Run(`${prefix}l`));
    for (const round of rounds) {
      const [owners, dependents] = [`o${round}`, `d${round}`];
      await track.given(run, 'Alpha', [owners]);
      const owner = await track.given(run, 'Beta', [owners, 'b']);
      await track.given(run, 'Alpha', [dependents]);
      const ownerReferences = [track.ownedBy(owner, round % 2 === 0)];
      await track.given(run, 'Beta', [dependents, 'b'], { ownerReferences });
      await track.given(run, 'Gamma', [dependents, 'b', 'c'], { ownerReferences });
      expect((await track.delete(run, 'Alpha', [dependents])).status).toBe(202);
      await service.drained();
      const { uid, revision } = owner.body.metadata;
      expect(await track.get(run, 'Beta', [owners, 'b'])).toMatchObject({
        status: 200,
        body: { metadata: { uid, revision } },
      });
    }
  });

  it('cascades that cross all end, and leave nothing', async () => {
    const run = await track.kinds(new Run(`${prefix}g`), ['Alpha', 'Beta']);
    for (const round of rounds.slice(0, 6)) {
      const roots = [`l${round}`, `r${round}`];
      const owners = await Promise.all(roots.map((name) => track.given(run, 'Alpha', [name])));
      const references = owners.map((owner) => track.ownedBy(owner, true));
      for (const [index, root] of roots.entries()) {
        const other = references[1 - index];
        for (const child of ['a', 'b', 'c', 'd']) {
          await track.given(run, 'Beta', [root, child], { ownerReferences: [other] });
        }
      }
      for (const shared of ['s', 't', 'u']) {
        await track.given(run, 'Alpha', [`${shared}${round}`], { ownerReferences: references });
      }
      const replies = await track.together(round, [
        ...roots.map((root) => () => track.delete(run, 'Alpha', [root])),
        ...roots.map((root) => () => track.delete(run, 'Beta', [root, 'a'])),
        () => track.delete(run, 'Alpha', [`s${round}`]),
      ]);
      for (const reply of replies) expect([200, 202, 404]).toContain(reply.status);
    }
    await service.drained();
    expect(await track.rowsOf(run)).toEqual([]);
  });

  it('adoptions that would close a cycle together: one is refused', async () => {
    const run = await track.kinds(new Run(`${prefix}h`), ['Alpha', 'Beta']);
    for (const round of rounds) {
      const [left, right] = [
        await track.given(run, 'Alpha', [`l${round}`]),
        await track.given(run, 'Alpha', [`r${round}`]),
      ];
      const [underLeft, underRight] = [
        await track.given(run, 'Beta', [`l${round}`, 'x']),
        await track.given(run, 'Beta', [`r${round}`, 'x']),
      ];
      const replies = await track.together(round, [
        () => track.replace(run, left, { ownerReferences: [track.ownedBy(underRight, false)] }),
        () => track.replace(run, right, { ownerReferences: [track.ownedBy(underLeft, false)] }),
      ]);
      expect(replies.map((reply) => reply.code ?? '').sort()).toEqual(['', 'owner_reference_cycle']);
    }
  });

  it('many creates of one name, or replacements of one revision: one wins', async () => {
    const run = await track.kinds(new Run(`${prefix}i`), ['Alpha']);
    for (const round of rounds) {
      const name = `r${round}`;
      const eight = Array.from({ length: 8 }, (_, index) => index);
      const created = await track.together(
        round,
        eight.map(() => () => track.create(run, 'Alpha', [name])),
      );
      expect(created.filter(({ status }) => status === 201)).toHaveLength(1);
      expect(created.filter(({ code }) => code === 'already_exists')).toHaveLength(7);
      const row = await track.get(run, 'Alpha', [name]);
      const replaced = await track.together(
        round,
        eight.map((index) => () => track.replace(run, row, {}, { index })),
      );
      expect(replaced.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(replaced.filter(({ code }) => code === 'revision_conflict')).toHaveLength(7);
    }
  });

  it('registrations of one plural: one wins, and no other kind takes it', async () => {
    for (const round of rounds) {
      const [run, other] = [new Run(`${prefix}j${round}`), new Run(`${prefix}k${round}`)];
      const replies = await track.together(round, [
        () => track.define(run, 'Alpha', 0),
        () => track.define(run, 'Alpha', 1),
        () => track.define(other, 'Alpha', 0, run.plural('Alpha')),
      ]);
      expect(replies.filter(({ status }) => status === 201)).toHaveLength(1);
      expect(replies.filter(({ status }) => status === 409)).toHaveLength(2);
    }
  });
}

/** Races of restores. Version 0.24.0 has none, so they are not for upgrades. */
export function describeRestoreRaces(service: Service, prefix = 'r'): void {
  const track = new RaceTrack(service);
  afterEach(() => track.isSound());

  it('a restore and the deletion of its parent, which is collected meanwhile, leave nothing in the end', async () => {
    const run = await track.kinds(new Run(`${prefix}x`));
    for (const round of rounds) {
      const name = `r${round}`;
      await track.given(run, 'Alpha', [name]);
      const child = await track.given(run, 'Beta', [name, 'child']);
      expect(await track.delete(run, 'Beta', [name, 'child'])).toMatchObject({ status: 200 });
      const [restoring, deleting] = await track.together(round, [
        () => track.restore(run, child),
        () => track.delete(run, 'Alpha', [name]),
      ]);
      expect([201, 404, 409]).toContain(restoring.status);
      expect(restoring.status === 201).toBe(deleting.status === 202);
    }
    await service.drained();
    expect(await track.rowsOf(run)).toEqual([]);
  });

  it('restores of a tree while it is collected: at most one brings it back, and all of it', async () => {
    const run = await track.kinds(new Run(`${prefix}y`));
    for (const round of rounds) {
      const name = `r${round}`;
      const root = await track.given(run, 'Alpha', [name]);
      for (const child of ['a', 'b']) await track.given(run, 'Beta', [name, child]);
      expect(await track.delete(run, 'Alpha', [name])).toMatchObject({ status: 202 });
      const restored = await track.together(
        round,
        [0, 1, 2, 3].map(() => () => track.restore(run, root)),
      );
      const won = restored.filter(({ status }) => status === 201);
      expect(won.length).toBeLessThanOrEqual(1);
      for (const { body } of won) expect(body['restored']).toHaveLength(3);
      expect(restored.map(({ code }) => code)).toEqual(
        restored.map(({ status }) =>
          status === 201 ? undefined : expect.stringMatching(/^(not_removed|restore_conflict|not_found)$/),
        ),
      );
    }
  });
}
