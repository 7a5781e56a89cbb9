import { z } from 'zod'

/** `/pricing/model?name=gpt-4o&group=vip` */
export const modelSearch = z.object({ name: z.string().catch(''), group: z.string().catch('') })
