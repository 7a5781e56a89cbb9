import type { Channel } from '@tollgate/contract/channel'
import { expect, it } from 'vitest'
import { groupByTag } from './group-by-tag.ts'

const plain = {
  tag: 'a',
  group: 'default',
  status: 1,
  priority: 0,
  weight: 0,
  response_time: 0,
  used_quota: 0,
}
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what is grouped by
const channel = (parts: Partial<Channel>) => ({ ...plain, ...parts }) as Channel

it('merges the channels of a tag into one row: sums, unions, and common values', () => {
  const rows = groupByTag([
    channel({ tag: 'b', group: 'vip,default', used_quota: 5, weight: 3 }),
    channel({ tag: 'a' }),
    channel({ tag: 'b', group: 'default', status: 2, used_quota: 2, priority: 4, weight: 3 }),
  ])
  expect(rows.map(({ tag }) => tag)).toEqual(['b', 'a'])
  expect(rows[0]).toMatchObject({
    enabled: 1,
    groups: ['default', 'vip'],
    usedQuota: 7,
    priority: undefined,
    weight: 3,
  })
})

it('Unlike new-api: the mean response time of a tag leaves out channels that were never tested', () => {
  const rows = groupByTag([100, 200, 900, 0].map((ms) => channel({ response_time: ms })))
  expect(rows[0]?.responseMs).toBe(400)
})
