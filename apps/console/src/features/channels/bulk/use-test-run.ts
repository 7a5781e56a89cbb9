import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type Job, jobRoutes } from '@tollgate/contract/job'
import { useEffect, useRef } from 'react'
import { api } from '../../../shared/api/client.ts'
import { useRefreshChannels } from '../api.ts'

const TEST_JOB = 'test-channels'
const BALANCE_JOB = 'update-balances'
const RUN_KEY = ['job', 'of-channels']
const LOOK_EVERY_MS = { busy: 1000, idle: 30_000 }

/**
 * Progress of the test of all channels. While that test or an update of balances is running, the channels are
 * fetched again whenever it advances.
 */
export function useTestRun(): Job | undefined {
  const refresh = useRefreshChannels()
  const { data } = useQuery({
    queryKey: RUN_KEY,
    queryFn: async ({ signal }) => {
      const jobs = await api.call(jobRoutes.list, { signal })
      return jobs.filter(({ name }) => name === TEST_JOB || name === BALANCE_JOB)
    },
    refetchInterval: ({ state }) => (isBusy(state.data) ? LOOK_EVERY_MS.busy : LOOK_EVERY_MS.idle),
  })
  const mark = (data ?? []).map(({ name, state, done }) => `${name} ${state} ${done}`).join()
  const seen = useRef(mark)
  useEffect(() => {
    const isNews = seen.current !== '' && seen.current !== mark
    seen.current = mark
    if (isNews) void refresh()
  }, [mark, refresh])
  return data?.find(({ name }) => name === TEST_JOB)
}

/** Call after a run was started. */
export function useRefreshRun(): () => Promise<void> {
  const client = useQueryClient()
  return () => client.invalidateQueries({ queryKey: RUN_KEY })
}

function isBusy(jobs: readonly Job[] | undefined): boolean {
  return jobs?.some(({ state }) => state !== 'idle') === true
}
