import { z } from 'zod'

/** `?email=ada%40example.com&token=…`: what the mailed link carries. Without it, the page asks for an address. */
export const resetSearch = z.object({
  email: z.string().max(320).catch(''),
  token: z.string().max(512).catch(''),
})
