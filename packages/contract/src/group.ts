import { z } from 'zod'
import { defineRoute, ownReading, publicReading, siteReading } from './route.ts'

/** Groups: each has a ratio; a user may choose among the usable ones and their own. */

export const groupMapSchema = z.record(z.string(), z.object({ ratio: z.number(), desc: z.string() }))

export const groupRoutes = {
  list: defineRoute({
    ...siteReading,
    path: '/api/group',
    summary: 'Names of all groups',
    data: z.array(z.string()),
  }),
  own: defineRoute({
    ...ownReading,
    path: '/api/user/self/groups',
    summary: 'Groups that the caller can use, with ratio and description',
    data: groupMapSchema,
  }),
  public: defineRoute({
    ...publicReading,
    path: '/api/user/groups',
    summary: 'Groups that everybody can use, with ratio and description',
    data: groupMapSchema,
  }),
} as const
