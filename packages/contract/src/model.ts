import { z } from 'zod'
import { defineRoute, ownReading } from './route.ts'

export const modelRoutes = {
  own: defineRoute({
    ...ownReading,
    path: '/api/user/models',
    summary: 'Models that the caller can use, over all their groups',
    data: z.array(z.string()),
  }),
  builtIn: defineRoute({
    ...ownReading,
    owner: 'none',
    path: '/api/models',
    summary: 'Model names by channel type, for the channel form',
    data: z.record(z.string(), z.array(z.string())),
  }),
} as const
