import type { LogRow } from '@tollgate/contract/log'
import * as z from 'zod/mini'
import {
  loose,
  looseContent,
  looseCount,
  looseDecimal,
  looseFlag,
  looseIds,
  looseNumber,
  looseText,
  looseTexts,
  parseObject,
} from './fields.ts'
import { frozenPriceSchema, usageSchema } from './frozen-fields.ts'

export const settleFlags = [
  'estimated',
  'partial',
  'client_gone',
  'cut',
  'recovered',
  'late',
  'waived',
] as const
export type SettleFlag = (typeof settleFlags)[number]

/** What the length of the call made of its price, as factors. */
const contextTierSchema = loose(
  z.object({ above: z.number(), input: z.number(), output: z.number(), cache: z.number() }),
)

const attemptSchema = z.object({
  channel: z.int(),
  /** Which of the channel's keys, counted from 0. */
  key: looseCount,
  /** `ok`, or the code of the failure. */
  outcome: z.catch(z.string(), ''),
  /** HTTP status of the upstream; 0 when there was no answer. */
  status: z.catch(z.int(), 0),
  /** Told where it is not the group that the call was charged in. */
  group: loose(z.string()),
  /** How long the attempt took, in milliseconds. */
  ms: z.catch(z.number().check(z.nonnegative()), 0),
})
export type Attempt = z.output<typeof attemptSchema>

const attempts = z.catch(
  z.pipe(
    z.array(loose(attemptSchema)),
    z.transform((list) => list.filter((attempt) => attempt !== undefined)),
  ),
  [],
)

const receiptSchema = loose(
  z.object({
    price: frozenPriceSchema,
    price_version: looseNumber,
    quota_per_unit: looseDecimal,
    usage: usageSchema,
    held: looseDecimal,
    ceiling: looseDecimal,
    hold_ms: looseNumber,
    attempts,
  }),
)

const keptSchema = loose(z.object({ redacted: looseCount, is_cut: looseFlag }))
/** How the texts of a call were kept. */
export type KeptNote = NonNullable<z.output<typeof keptSchema>>

const otherSchema = z.object({
  // Every gateway of the family.
  frt: looseNumber,
  model_ratio: looseDecimal,
  completion_ratio: looseDecimal,
  group_ratio: looseDecimal,
  user_group_ratio: looseDecimal,
  model_price: looseDecimal,
  cache_tokens: looseCount,
  cache_ratio: looseDecimal,
  cache_creation_tokens: looseCount,
  cache_creation_ratio: looseDecimal,
  cache_creation_ratio_1h: looseDecimal,
  image_ratio: looseDecimal,
  claude: looseFlag,
  ws: looseFlag,
  audio: looseFlag,
  audio_input: looseCount,
  audio_output: looseCount,
  text_input: looseCount,
  text_output: looseCount,
  audio_ratio: looseDecimal,
  audio_completion_ratio: looseDecimal,
  is_model_mapped: looseFlag,
  upstream_model_name: looseText,
  reasoning_effort: looseText,
  service_tier: looseText,
  service_tier_ratio: looseNumber,
  context_tier: contextTierSchema,
  is_system_prompt_overwritten: looseFlag,
  po: looseTexts,
  system_prompt: looseContent,
  context: looseContent,
  input_content: looseContent,
  output_content: looseContent,
  admin_info: z.catch(z.object({ use_channel: looseIds, attempts, detail: looseText }), {
    use_channel: [],
    attempts: [],
    detail: undefined,
  }),
  // This gateway.
  receipt: receiptSchema,
  text_kept: keptSchema,
  /** Members of the request that the upstream was not sent. */
  dropped: looseTexts,
  /** How the upstream was asked otherwise, because it refused the caller's form before. */
  lessons: looseTexts,
  flags: z.pipe(
    looseTexts,
    z.transform((list) => settleFlags.filter((flag) => list.includes(flag))),
  ),
  /** Of what a drawing, a song or a video costs, or got back. */
  task_id: looseText,
  action: looseText,
  platform: looseText,
  reason: looseText,
  error_code: looseText,
  status_code: looseNumber,
})

/** What a log row says of a call beyond its columns, whoever wrote it. */
export type CallRecord = z.output<typeof otherSchema>

/** Every try of the call; a row that only an operator may read whole keeps them beside the channels. */
export function attemptsOf(record: CallRecord): readonly Attempt[] {
  const { attempts: hidden } = record.admin_info
  return hidden.length > 0 ? hidden : (record.receipt?.attempts ?? [])
}

export function readCallRecord(row: Pick<LogRow, 'other'>): CallRecord {
  return otherSchema.parse(parseObject(row.other))
}
