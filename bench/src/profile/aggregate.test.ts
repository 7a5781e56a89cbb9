import { describe, expect, it } from 'vitest'
import { aggregate } from './aggregate.ts'
import type { CpuProfile } from './cpu-profile.ts'

const frame = (functionName: string, url = '', lineNumber = 0) => ({ functionName, url, lineNumber })

/**
 * root → idle; root → node → edge → (kit → JSON.parse, hold → constructor); root → collector. Sample times
 * are those until the next sample: 10 idle, 20 parse, 30 constructor, 40 parse, 50 collector.
 */
const profile: CpuProfile = {
  nodes: [
    { id: 1, callFrame: frame('(root)'), children: [2, 3, 8] },
    { id: 2, callFrame: frame('(idle)') },
    { id: 3, callFrame: frame('onData', 'node:events', 4), children: [4] },
    { id: 4, callFrame: frame('serve', 'file:///x/apps/server/src/edge/server.ts', 9), children: [5, 7] },
    { id: 5, callFrame: frame('read', 'file:///x/packages/kit/src/json.ts', 2), children: [6] },
    { id: 6, callFrame: frame('parse') },
    { id: 7, callFrame: frame('constructor', 'file:///x/apps/server/src/relay/stations/hold/a.ts', 0) },
    { id: 8, callFrame: frame('(garbage collector)') },
  ],
  samples: [2, 6, 7, 6, 8, 2],
  timeDeltas: [999, 10, 20, 30, 40, 50],
}

describe('aggregating a profile', () => {
  it('gives the time between two samples to the function of the first', () => {
    const { idleMicros, busyMicros } = aggregate(profile)
    expect({ idleMicros, busyMicros }).toEqual({ idleMicros: 10, busyMicros: 140 })
  })

  it('sums time by station and counts shared code for its caller', () => {
    expect([...aggregate(profile).stations]).toEqual([
      ['edge', 60],
      ['station hold', 30],
      ['garbage collection', 50],
    ])
  })

  it('names functions of the engine by their caller and sorts by own time', () => {
    expect(
      aggregate(profile).functions.map(({ name, place, selfMicros }) => [name, place, selfMicros]),
    ).toEqual([
      ['parse in read', 'packages/kit/src/json.ts:3', 60],
      ['(garbage collector)', '', 50],
      ['constructor', 'apps/server/src/relay/stations/hold/a.ts:1', 30],
    ])
  })

  it('starts the flame graph of a station at the frame that entered it', () => {
    const { tree } = aggregate(profile)
    const edge = tree.children.get('edge ')
    const entered = [...(edge?.children.values() ?? [])].map(({ name, micros }) => [name, micros])
    expect(edge?.micros).toBe(60)
    expect(entered).toEqual([['serve', 60]])
  })
})
