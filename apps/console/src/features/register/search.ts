import { z } from 'zod'

/** `/register?aff=x7QdAb2k`, the link of who invites. */
export const registerSearch = z.object({ aff: z.string().max(64).catch('') })
