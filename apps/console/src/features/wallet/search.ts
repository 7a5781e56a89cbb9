import { z } from 'zod'
import { pageParameter } from '../../shared/table/paging.ts'

/** `?code=8f14…` arrives from a shop; `month` is the one whose statement is open. */
export const walletSearchSchema = z.object({
  code: z.string().catch(''),
  p: pageParameter,
  month: z
    .string()
    .regex(/^20\d\d-(0[1-9]|1[0-2])$/)
    .or(z.literal(''))
    .catch(''),
})
