import { z } from 'zod'
import { defineRoute, usualReading } from './route.ts'

const reading = { ...usualReading, access: 'user' } as const

export const modelRoutes = {
  own: defineRoute({
    ...reading,
    owner: 'self',
    path: '/api/user/models',
    summary: 'Models that the caller can use, over all their groups',
    data: z.array(z.string()),
  }),
  builtIn: defineRoute({
    ...reading,
    owner: 'none',
    path: '/api/models',
    summary: 'Model names by channel type, for the channel form',
    data: z.record(z.string(), z.array(z.string())),
  }),
} as const
