import { queryOptions } from '@tanstack/react-query'
import { groupRoutes } from '@tollgate/contract/group'
import { modelRoutes } from '@tollgate/contract/model'
import { api } from './client.ts'

const SELDOM_CHANGED_MS = 300_000

/** The models that the reader may use, over all their groups. */
export const ownModelsQuery = queryOptions({
  queryKey: ['model', 'own'],
  staleTime: SELDOM_CHANGED_MS,
  queryFn: ({ signal }) => api.call(modelRoutes.own, { signal }),
})

/** The groups that the reader may use, by name. */
export const ownGroupsQuery = queryOptions({
  queryKey: ['group', 'own'],
  staleTime: SELDOM_CHANGED_MS,
  queryFn: ({ signal }) => api.call(groupRoutes.own, { signal }),
})
