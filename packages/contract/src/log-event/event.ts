import { z } from 'zod'

/**
 * What a row of the usage log is about. The row stores the event and its members in `other`, beside whatever else is
 * known of the call, so that each reader gets a sentence in their own language. Amounts are whole quota units.
 *
 * Names and members are in databases: add some, never rename one. Rows of earlier versions and imported rows have a
 * sentence in `content`, some of them beside the event.
 */
const units = z.int()
const ratio = z.number()

/** The size and quality that a price per picture depends on. */
const pictureSchema = z.object({ size: z.string(), quality: z.string() })

const callCharged = z.object({
  event: z.literal('call_charged'),
  /** Currency per call; -1 for a price per token, as the consoles of the family expect it. */
  model_price: z.number(),
  model_ratio: ratio,
  completion_ratio: ratio,
  group_ratio: ratio,
  picture: pictureSchema.optional(),
})

const taskCharged = z.object({
  event: z.literal('task_charged'),
  task_id: z.string(),
  platform: z.string(),
  action: z.string(),
  group_ratio: ratio,
  /** Currency per task or second. A price per token has a `model_ratio` instead. */
  model_price: z.number().optional(),
  model_ratio: ratio.optional(),
  /** Of a video with a price per second. */
  seconds: z.number().optional(),
})

const taskRefunded = z.object({
  event: z.literal('task_refunded'),
  task_id: z.string(),
  platform: z.string(),
  quota: units,
})

/** The estimate was higher than what the task took in the end. */
const taskSettledForLess = z.object({
  event: z.literal('task_settled_for_less'),
  task_id: z.string(),
  tokens: z.number(),
  quota: units,
})

/** The answer of the upstream ended without any content. */
const answerEmpty = z.object({ event: z.literal('answer_empty') })

const topUp = z.object({ event: z.literal('top_up'), quota: units, money: z.string() })
const redeem = z.object({ event: z.literal('redeem'), quota: units, code_id: z.int() })
const redeemGift = z.object({ event: z.literal('redeem_gift'), quota: units, code_id: z.int() })
const checkIn = z.object({ event: z.literal('check_in'), quota: units })

const giftNewUser = z.object({ event: z.literal('gift_new_user'), quota: units })
/** For registering with the invitation of somebody else. */
const giftInvitee = z.object({ event: z.literal('gift_invitee'), quota: units })
const giftInviter = z.object({ event: z.literal('gift_inviter'), quota: units })
/** A share of a top-up for whoever invited the buyer; the second is in the log of the buyer. */
const rebate = z.object({ event: z.literal('rebate'), quota: units })
const rebateOfInviter = z.object({ event: z.literal('rebate_of_inviter'), quota: units })

/** By an administrator. */
const quotaChanged = z.object({ event: z.literal('quota_changed'), before: units, after: units })

/** `way` is `password`, the name of a sign-in provider, or empty where it is not known. */
const signIn = z.object({ event: z.literal('sign_in'), way: z.string() })

export const logEventSchema = z.discriminatedUnion('event', [
  callCharged,
  taskCharged,
  taskRefunded,
  taskSettledForLess,
  answerEmpty,
  topUp,
  redeem,
  redeemGift,
  checkIn,
  giftNewUser,
  giftInvitee,
  giftInviter,
  rebate,
  rebateOfInviter,
  quotaChanged,
  signIn,
])
export type LogEvent = z.output<typeof logEventSchema>
export type LogEventName = LogEvent['event']
export type LogEventOf<Name extends LogEventName> = Extract<LogEvent, { readonly event: Name }>

/** The event in the members of a row's `other`; `undefined` for rows without one, and for events of later versions. */
export function readLogEvent(members: object): LogEvent | undefined {
  return 'event' in members ? logEventSchema.safeParse(members).data : undefined
}
