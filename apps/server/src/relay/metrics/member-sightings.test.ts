import { expect, test } from 'vitest'
import { silentCall } from '../../../test/relay/parts.ts'
import { MemberSightings } from './member-sightings.ts'

test('members of tasks and sessions are counted by place, once for each', () => {
  const sightings = new MemberSightings()
  const call = silentCall()
  sightings.noteSeen(call, { wire: 'video', channelId: 7 })
  expect(sightings.take()).toEqual([])
  call.unknownMembers = ['metadata.of_tomorrow', 'metadata.model_name']
  call.taken = ['metadata.model_name', 'preset']
  sightings.noteSeen(call, { wire: 'video', channelId: 7 })
  sightings.noteSeen(call, { wire: 'realtime', channelId: 7 })
  const seen = sightings.take()
  expect(seen.map(({ kind, wire, member, passed, taken }) => [kind, wire, member, passed, taken])).toEqual(
    ['video', 'realtime'].flatMap((wire) => [
      ['unknown', wire, 'metadata.of_tomorrow', 1, 0],
      ['unknown', wire, 'metadata.model_name', 0, 1],
      ['taken', wire, 'preset', 0, 1],
    ]),
  )
})
