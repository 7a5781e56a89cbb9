import { EVERYTHING, FROM_TIME_TO_TIME } from '@tollgate/coordination/notices'
import { memoryNotices } from '@tollgate/coordination/memory-notices'
import { expect, test } from 'vitest'
import { recallsOver } from './recalls.ts'

test.each([
  ['a recall of one account', { entity: 'allotment', id: 7 }, [7]],
  ['a recall of all accounts', { entity: 'allotment' }, [undefined]],
  ['a notice that others may have been missed', { entity: EVERYTHING }, [undefined]],
  ['the reading that comes from time to time', { entity: EVERYTHING, id: FROM_TIME_TO_TIME }, []],
  ['a change of a channel', { entity: 'channel', id: 7 }, []],
])('%s is heard as it is meant', async (_what, notice, expected) => {
  const notices = memoryNotices({ onFailure: () => undefined })
  const heard: (number | undefined)[] = []
  const recalls = recallsOver({ notices, isFast: () => true })
  recalls.subscribe((account) => heard.push(account))
  await notices.tell(notice)
  expect(heard).toEqual(expected)
})
