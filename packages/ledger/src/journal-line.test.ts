import { sampleLog } from '@tollgate/testkit/sample-call'
import { expect, it } from 'vitest'
import { endFromLine, lineOf } from './journal-line.ts'

it('a line keeps every amount of a settlement and of its log row', () => {
  const log = {
    ...sampleLog('call-1'),
    cost: 12n,
    cache_saved: -(2n ** 60n),
    session: 'abc',
    cached_tokens: 512,
  }
  const input = { holdId: 'call-1', amount: 2n ** 60n, flags: [], channelId: 7, usageJson: '{}', log }
  expect(endFromLine(lineOf({ type: 'settle', input }))).toEqual({ type: 'settle', input })
})

it('a log row without a known cost has none after it was read back', () => {
  const log = sampleLog('call-1')
  const read = endFromLine(lineOf({ type: 'release', input: { holdId: 'call-1', log } }))
  expect(read?.input.log).toEqual({ ...log, cost: null, cache_saved: null })
})
