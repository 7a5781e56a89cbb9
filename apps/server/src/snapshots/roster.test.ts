import { codex } from '@tollgate/providers/codex'
import { expect, test } from 'vitest'
import { channelWith } from '../../test/relay/parts.ts'
import type { RosterChannel } from './snapshots.ts'
import { buildRoster } from './roster.ts'

function rosterOf(channels: readonly RosterChannel[], withdrawn: readonly number[] = []) {
  return buildRoster({ channels, withdrawn: new Set(withdrawn), providers: [] })
}
const ids = (tiers: readonly (readonly RosterChannel[])[]) => tiers.map((tier) => tier.map(({ id }) => id))

test('candidates are grouped in tiers, highest priority first', () => {
  const roster = rosterOf([
    channelWith({ id: 1, priority: -5 }),
    channelWith({ id: 2, priority: 10 }),
    channelWith({ id: 3, priority: 10 }),
  ])
  expect(ids(roster.candidates('default', 'gpt-4o').tiers)).toEqual([[2, 3], [1]])
  expect(roster.candidates('vip', 'gpt-4o').tiers).toEqual([])
  expect(roster.candidates('default', 'constructor').tiers).toEqual([])
})

test('a channel without models or without groups does not affect other channels', () => {
  const roster = rosterOf([
    channelWith({ id: 1, models: [], groups: ['vip'] }),
    channelWith({ id: 2, groups: [] }),
    channelWith({ id: 3 }),
  ])
  expect(roster.candidates('vip', 'gpt-4o').tiers).toEqual([])
  expect(ids(roster.candidates('default', 'gpt-4o').tiers)).toEqual([[3]])
})

test('disabled and withdrawn channels are not candidates, but can be found for a test', () => {
  const roster = rosterOf(
    [channelWith({ id: 1, status: 2 }), channelWith({ id: 2 }), channelWith({ id: 3 })],
    [2],
  )
  expect(ids(roster.candidates('default', 'gpt-4o').tiers)).toEqual([[3]])
  expect(roster.channel(1)?.id).toBe(1)
})

test('a copied channel that waits for its own sign-in is not a candidate', () => {
  const roster = rosterOf([
    channelWith({ id: 1, provider: codex, keys: [''] }),
    channelWith({ id: 2, provider: codex, keys: ['{}'] }),
    channelWith({ id: 3, keys: [''] }),
  ])
  expect(ids(roster.candidates('default', 'gpt-4o').tiers)).toEqual([[2, 3]])
})

test('the longest prefix that serves the rest of the name wins, regardless of priorities', () => {
  const roster = rosterOf([
    channelWith({ id: 1, modelPrefix: 'a/', models: ['b/x', 'y'], priority: 9 }),
    channelWith({ id: 2, modelPrefix: 'a/b/', models: ['x'] }),
    channelWith({ id: 3, modelPrefix: 'a/', models: ['y'], priority: 1 }),
  ])
  const byLongest = roster.candidates('default', 'a/b/x')
  expect([byLongest.model, ids(byLongest.tiers)]).toEqual(['x', [[2]]])
  const shared = roster.candidates('default', 'a/y')
  expect([shared.model, ids(shared.tiers)]).toEqual(['y', [[1, 3]]])
})

test('a prefix with no model for the rest of the name leaves the name unchanged', () => {
  const roster = rosterOf([
    channelWith({ id: 1, modelPrefix: 'gpt', models: ['other'] }),
    channelWith({ id: 2, models: ['gpt-4o'] }),
  ])
  const found = roster.candidates('default', 'gpt-4o')
  expect([found.model, ids(found.tiers)]).toEqual(['gpt-4o', [[2]]])
})

test('a custom assistant is found by its model family and keeps its name', () => {
  const roster = rosterOf([channelWith({ models: ['gpt-4-gizmo-*'] })])
  const found = roster.candidates('default', 'gpt-4-gizmo-g-abc')
  expect([found.model, ids(found.tiers)]).toEqual(['gpt-4-gizmo-g-abc', [[1]]])
})

test('a group lists each model once, plus its prefixed names', () => {
  const roster = rosterOf([
    channelWith({ id: 1, models: ['b', 'a'] }),
    channelWith({ id: 2, models: ['a'], modelPrefix: 'x/' }),
    channelWith({ id: 3, models: ['c'], groups: ['vip'] }),
  ])
  expect(roster.models('default').map(({ id, root }) => [id, root])).toEqual([
    ['a', 'a'],
    ['b', 'b'],
    ['x/a', 'a'],
  ])
})
