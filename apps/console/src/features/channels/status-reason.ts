import { parseJson } from '@tollgate/kit/json'
import * as z from 'zod/mini'

const otherInfoSchema = z.object({
  status_reason: z.catch(z.string(), ''),
  status_time: z.catch(z.number(), 0),
})

/** The reason and time of an automatic disabling, from the channel's `other_info` text. */
export function statusReason(otherInfo: string): { readonly reason: string; readonly atSeconds: number } {
  const parsed = otherInfoSchema.safeParse(parseJson(otherInfo)).data
  return { reason: parsed?.status_reason ?? '', atSeconds: parsed?.status_time ?? 0 }
}
