import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type DrawingRow, type TaskRow, taskRoutes } from '@tollgate/contract/task'
import { api } from '../../shared/api/client.ts'
import type { Page } from '../../shared/table/column.ts'
import { type ListAnswer, pageOfList } from '../../shared/table/page-of.ts'
import type { Paging } from '../../shared/table/paging.ts'
import { isEnded } from './states.ts'
import type { TaskFilters, TimeRange } from './search.ts'

interface TaskQuery {
  readonly isAdmin: boolean
  readonly filters: TaskFilters
  readonly range: TimeRange
  readonly paging: Pick<Paging, 'page' | 'pageSize'>
}

const MS = 1000

/** One page of drawings. Their times are in milliseconds on the wire. */
export function useDrawings({ isAdmin, filters, range, paging }: TaskQuery) {
  const query = {
    mj_id: filters.task_id.trim(),
    start_timestamp: range.start * MS,
    end_timestamp: range.end * MS,
    ...commonQuery({ isAdmin, filters, paging }),
  }
  return useTaskPage<DrawingRow>(['drawing', isAdmin, query], ({ signal }) =>
    isAdmin
      ? api.callWhole(taskRoutes.listDrawings, { query, signal })
      : api.callWhole(taskRoutes.listOwnDrawings, { query, signal }),
  )
}

export function useTasks({ isAdmin, filters, range, paging }: TaskQuery) {
  const query = {
    task_id: filters.task_id.trim(),
    start_timestamp: range.start,
    end_timestamp: range.end,
    ...commonQuery({ isAdmin, filters, paging }),
  }
  return useTaskPage<TaskRow>(['task', isAdmin, query], ({ signal }) =>
    isAdmin
      ? api.callWhole(taskRoutes.list, { query, signal })
      : api.callWhole(taskRoutes.listOwn, { query, signal }),
  )
}

/** Only admins may filter by channel or user. */
function commonQuery({ isAdmin, filters, paging }: Omit<TaskQuery, 'range'>) {
  const paged = { p: paging.page - 1, page_size: paging.pageSize }
  return isAdmin ? { ...paged, channel_id: filters.channel_id, username: filters.username.trim() } : paged
}

function useTaskPage<Row extends { readonly status: string }>(
  queryKey: readonly unknown[],
  fetchPage: (context: { readonly signal: AbortSignal }) => Promise<ListAnswer<Row>>,
) {
  return useQuery<Page<Row>>({
    queryKey,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => refetchMs(state.data),
    queryFn: async (context) => pageOfList(await fetchPage(context)),
  })
}

const REFETCH_MS = 15_000

/**
 * While a task is unfinished, the page is fetched again at the same interval at which the gateway polls its
 * upstreams.
 */
function refetchMs(page: Page<{ readonly status: string }> | undefined): number | false {
  return page?.rows.some((row) => !isEnded(row.status)) === true ? REFETCH_MS : false
}
