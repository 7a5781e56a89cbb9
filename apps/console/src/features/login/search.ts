import { z } from 'zod'

/** `/login?expired=true&returnTo=/log?type=2` */
export const loginSearch = z.object({
  expired: z.enum(['true', '']).catch(''),
  returnTo: z.string().catch(''),
  /** In a window of its own, for somebody whose first window waits. */
  again: z.enum(['true', '']).catch(''),
})
