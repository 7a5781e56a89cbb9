import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type DrawingRow, type TaskRow, taskRoutes } from '@tollgate/contract/task'
import { api } from '../../shared/api/client.ts'
import type { Page } from '../../shared/table/column.ts'
import { isEnded } from './states.ts'
import type { TaskFilters, TimeRange } from './search.ts'

export interface TaskQuery {
  readonly isAdmin: boolean
  readonly filters: TaskFilters
  readonly range: TimeRange
  readonly page: number
  readonly pageSize: number
}

const MS = 1000

/** One page of drawings. Their times are in milliseconds on the wire. */
export function useDrawings({ isAdmin, filters, range, page, pageSize }: TaskQuery) {
  const query = {
    mj_id: filters.task_id.trim(),
    start_timestamp: range.start * MS,
    end_timestamp: range.end * MS,
    p: page - 1,
    page_size: pageSize,
    ...(isAdmin && { channel_id: filters.channel_id, username: filters.username.trim() }),
  }
  return useQuery<Page<DrawingRow>>({
    queryKey: ['drawing', isAdmin, query],
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => refetchMs(state.data),
    queryFn: async ({ signal }) =>
      pageOf(
        isAdmin
          ? await api.callWhole(taskRoutes.listDrawings, { query, signal })
          : await api.callWhole(taskRoutes.listOwnDrawings, { query, signal }),
      ),
  })
}

export function useTasks({ isAdmin, filters, range, page, pageSize }: TaskQuery) {
  const query = {
    task_id: filters.task_id.trim(),
    start_timestamp: range.start,
    end_timestamp: range.end,
    p: page - 1,
    page_size: pageSize,
    ...(isAdmin && { channel_id: filters.channel_id, username: filters.username.trim() }),
  }
  return useQuery<Page<TaskRow>>({
    queryKey: ['task', isAdmin, query],
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => refetchMs(state.data),
    queryFn: async ({ signal }) =>
      pageOf(
        isAdmin
          ? await api.callWhole(taskRoutes.list, { query, signal })
          : await api.callWhole(taskRoutes.listOwn, { query, signal }),
      ),
  })
}

function pageOf<Row>({
  data,
  extra,
}: {
  data: readonly Row[]
  extra: Readonly<Record<string, unknown>>
}): Page<Row> {
  return { rows: data, total: typeof extra['total'] === 'number' ? extra['total'] : data.length }
}

const REFETCH_MS = 15_000

/**
 * While a task is unfinished, the page is fetched again at the same interval at which the gateway polls its
 * upstreams.
 */
function refetchMs(page: Page<{ readonly status: string }> | undefined): number | false {
  return page?.rows.some((row) => !isEnded(row.status)) === true ? REFETCH_MS : false
}
