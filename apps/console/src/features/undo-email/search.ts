import { z } from 'zod'

/** `?token=…`: what the mailed link carries. */
export const undoEmailSearch = z.object({ token: z.string().max(512).catch('') })
