import { describe, expect, it } from 'vitest'
import { type Placed, placeOf } from './stations.ts'

const place = (url: string, caller?: Placed, functionName = 'work') =>
  placeOf({ functionName, url, lineNumber: 0 }, caller)
const hold: Placed = { station: 'station hold', isOwn: true }
const timers: Placed = { station: 'node: events, timers, promises', isOwn: false }

describe('the station of a frame', () => {
  it.each([
    ['file:///x/apps/server/src/relay/stations/deliver/head.ts', 'station deliver'],
    ['file:///x/apps/server/src/relay/relay.ts', 'relay'],
    ['file:///x/packages/dialects/src/json.ts', 'dialects'],
    ['file:///x/packages/ledger/src/sqlite/command-wire.ts', 'ledger messages'],
    ['file:///x/packages/ledger/src/writer.ts', 'ledger'],
    ['file:///x/node_modules/undici/lib/dispatcher/client.js', 'upstream client'],
    ['node:_http_outgoing', 'node http'],
  ])('of %s is %s whoever calls it', (url, station) => {
    expect(place(url, hold)).toEqual({ station, isOwn: true })
  })

  it('of shared code is that of its caller', () => {
    expect(place('file:///x/packages/kit/src/ids.ts', hold)).toEqual(hold)
    expect(place('', hold, 'stringify')).toEqual(hold)
  })

  it('of shared code that a timer called is its own name', () => {
    expect(place('file:///x/packages/store/src/sqlite/host.ts', timers)?.station).toBe('store')
  })

  it('does not depend on names that every object has', () => {
    expect(place('', hold, 'constructor')).toEqual(hold)
    expect(place('', undefined, 'toString')).toBeUndefined()
  })
})
