import { expect, test } from 'vitest'
import { channelWith, heldWith, settingsWith } from '../../../../test/relay/parts.ts'
import type { Held } from '../hold/held.ts'
import { inOrder } from './in-order.ts'

const channels = [1, 2, 3].map((id) => channelWith({ id }))

/** The steps of a call that fails on every channel, as `GROUP CHANNEL`; each group has its own channels. */
function stepsOf(first: Held, channelsOf: Readonly<Record<string, readonly number[]>>): string[] {
  const { trail } = first.call
  const steps: string[] = []
  const untried = ({ group }: Held) =>
    channels.find(({ id }) => channelsOf[group]?.includes(id) && !trail.some((note) => note.channelId === id))
  for (const { held, choice } of inOrder(first, (held) => {
    const channel = untried(held)
    return channel && { channel, keyIndex: 0 }
  })) {
    const { group } = held
    steps.push(`${group} ${choice?.channel.id ?? 'none'}`)
    if (choice === undefined) continue
    const note = { keyIndex: 0, group, outcome: 'failed', status: 500, durationMs: 1 }
    trail.push({ ...note, channelId: choice.channel.id })
  }
  return steps
}

test('a group is tried as often as the operator allows, then the next one', () => {
  const settings = settingsWith({ retryTimes: 1 })
  const first = heldWith({ settings })
  const call = { ...first, next: heldWith({ call: first.call, settings, group: 'vip' }) }
  expect(stepsOf(call, { default: [1, 2], vip: [3] })).toEqual(['default 1', 'default 2', 'vip 3'])
  const again = heldWith()
  expect(stepsOf(again, { default: [1, 2] })).toEqual(['default 1'])
})

test('a group without a channel left is passed over, but named', () => {
  const first = heldWith()
  const call = { ...first, next: heldWith({ call: first.call, group: 'vip' }) }
  expect(stepsOf(call, { default: [1], vip: [1] })).toEqual(['default 1', 'vip none'])
})

test('a channel that the caller chose is tried once', () => {
  const { caller, ...first } = heldWith({ settings: settingsWith({ retryTimes: 5 }) })
  const pinned = { ...first, caller: { ...caller, pinned: channels[0] } }
  expect(stepsOf(pinned, { default: [1, 2, 3] })).toEqual(['default 1'])
})
