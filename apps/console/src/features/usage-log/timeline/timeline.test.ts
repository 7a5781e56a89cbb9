import { describe, expect, it } from 'vitest'
import { readCallRecord } from '../record/call-record.ts'
import { timelineOf } from './timeline.ts'

const row = {
  type: 2,
  quota: 32_438,
  duration_ms: 112_000,
  use_time: 112,
  first_byte_ms: 2100,
  channel: 7,
  is_stream: true,
  group: 'default',
}
const timeline = (other: object, change: Partial<typeof row> = {}) =>
  timelineOf({ ...row, ...change }, readCallRecord({ other: JSON.stringify(other) }))

const attempts = [
  { channel: 3, key: 0, outcome: 'upstream_rate_limited', status: 429, ms: 2 },
  { channel: 7, key: 1, outcome: 'ok', status: 200, ms: 111_900 },
]

const ending = (...flags: readonly string[]) => timeline({ flags }).at(-1)

describe('timelineOf', () => {
  it('lists the steps in order, with the quota that was held and returned', () => {
    expect(timeline({ receipt: { held: '45000', hold_ms: 0.5, attempts } })).toEqual([
      { type: 'admitted', atMs: 0, heldUnits: 45_000 },
      {
        type: 'attempt-failed',
        atMs: 2.5,
        attempt: { channelId: '3', status: 429, outcome: 'upstream_rate_limited' },
        isLast: false,
      },
      { type: 'accepted', atMs: undefined, attempt: { channelId: '7', status: 200, outcome: 'ok' } },
      { type: 'first-token', atMs: 2100 },
      { type: 'settled', atMs: 112_000, ending: 'complete', units: 32_438, returnedUnits: 12_562 },
    ])
  })

  it('reports that the same channel was tried again', () => {
    const resent = [{ ...attempts[1], resent: true }]
    expect(timeline({ receipt: { attempts: resent } })[1]).toMatchObject({ attempt: { isResent: true } })
    const twice = [{ ...attempts[0], channel: 7 }, attempts[1]]
    expect(timeline({ receipt: { attempts: twice } })[1]).toMatchObject({
      isLast: false,
      isSameChannelRetried: true,
    })
  })

  it('names the group of every attempt if there were several groups', () => {
    const [failed, served] = timeline({
      admin_info: { attempts: [{ ...attempts[0], group: 'cheap' }, attempts[1]] },
    }).slice(1)
    expect(failed).toMatchObject({ attempt: { channelId: '3', group: 'cheap' } })
    expect(served).toMatchObject({ attempt: { channelId: '7', group: 'default' } })
  })

  it('returns no quota when the call outgrew its hold', () => {
    expect(timeline({ receipt: { held: '1000' } }).at(-1)).toMatchObject({ returnedUnits: undefined })
  })

  it('reports how the call ended, with a gone caller before a partial response', () => {
    expect(ending('partial')).toMatchObject({ ending: 'partial' })
    expect(ending('estimated')).toMatchObject({ ending: 'complete' })
    expect(ending('client_gone', 'partial')).toMatchObject({ ending: 'client-gone' })
    expect(ending('recovered', 'partial')).toMatchObject({ ending: 'interrupted' })
  })

  it('ends a failed call with the released quota', () => {
    const failed = timeline(
      { receipt: { held: '3000', attempts: attempts.slice(0, 1) } },
      { type: 8, quota: 0 },
    )
    expect(failed.map((step) => step.type)).toEqual(['admitted', 'attempt-failed', 'released'])
    expect(failed[1]).toMatchObject({ isLast: true })
    expect(failed[2]).toMatchObject({ heldUnits: 3000 })
  })

  it('does not list a refused call as admitted', () => {
    const refused = timeline({ error_code: 'no_channel' }, { type: 8, quota: 0, duration_ms: 3 })
    expect(refused).toEqual([{ type: 'refused', atMs: 3 }])
  })

  it('reads the channels of a row written by another gateway', () => {
    const steps = timeline({ frt: 900, admin_info: { use_channel: ['3', '7'] } }, { first_byte_ms: 0 })
    expect(steps.map((step) => step.type)).toEqual([
      'admitted',
      'attempt-failed',
      'accepted',
      'first-token',
      'settled',
    ])
    expect(steps[3]).toMatchObject({ atMs: 900 })
  })

  it('is empty for a top-up', () => {
    expect(timeline({}, { type: 1 })).toEqual([])
  })
})
