import { z } from 'zod'
import { ANONYMOUS_BODY_BYTES_MAX, defineRoute, nothing } from './route.ts'

/** Groups: each has a ratio; a user may choose among the usable ones and their own. */

export const groupMapSchema = z.record(z.string(), z.object({ ratio: z.number(), desc: z.string() }))

const reading = {
  method: 'GET',
  rate: 'api',
  isBillable: false,
  changesState: false,
  bodyBytesMax: ANONYMOUS_BODY_BYTES_MAX,
  params: nothing,
  query: nothing,
  body: nothing,
} as const

export const groupRoutes = {
  list: defineRoute({
    ...reading,
    access: 'admin',
    owner: 'site',
    path: '/api/group',
    summary: 'Names of all groups',
    data: z.array(z.string()),
  }),
  own: defineRoute({
    ...reading,
    access: 'user',
    owner: 'self',
    path: '/api/user/self/groups',
    summary: 'Groups the caller may use, with ratio and description',
    data: groupMapSchema,
  }),
  public: defineRoute({
    ...reading,
    access: 'public',
    owner: 'none',
    path: '/api/user/groups',
    summary: 'Groups everybody may use, with ratio and description',
    data: groupMapSchema,
  }),
} as const
