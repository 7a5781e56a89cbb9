import { z } from 'zod'

/**
 * The event of a usage log row. The row stores the event and its members in `other`, beside other data about
 * the call, so that each reader gets a sentence in their own language. Amounts are whole quota units.
 *
 * Names and members are stored in databases: add new ones but never rename one. Rows of earlier versions and
 * imported rows have a sentence in `content`, some of them in addition to the event.
 */
const units = z.int()
const ratio = z.number()

/** Size and quality that determine a price per picture. */
const pictureSchema = z.object({ size: z.string(), quality: z.string() })

const callCharged = z.object({
  event: z.literal('call_charged'),
  /** Currency per call; -1 for a price per token, as consoles written for new-api expect. */
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
  /** Currency per task or second. With a price per token, `model_ratio` is present instead. */
  model_price: z.number().optional(),
  model_ratio: ratio.optional(),
  /** Length of a video with a price per second. */
  seconds: z.number().optional(),
})

const taskRefunded = z.object({
  event: z.literal('task_refunded'),
  task_id: z.string(),
  platform: z.string(),
  quota: units,
})

/** A task cost less than estimated, and the difference was refunded. */
const taskSettledForLess = z.object({
  event: z.literal('task_settled_for_less'),
  task_id: z.string(),
  tokens: z.number(),
  quota: units,
})

/** The upstream's response ended without any content. */
const answerEmpty = z.object({ event: z.literal('answer_empty') })

/** Calls that were refused within a minute; `reason` is the code of the Problem. */
const callsRefused = z.object({ event: z.literal('calls_refused'), refused: z.int(), reason: z.string() })

const topUp = z.object({ event: z.literal('top_up'), quota: units, money: z.string() })
const redeem = z.object({ event: z.literal('redeem'), quota: units, code_id: z.int() })
const redeemGift = z.object({ event: z.literal('redeem_gift'), quota: units, code_id: z.int() })
const checkIn = z.object({ event: z.literal('check_in'), quota: units })

const giftNewUser = z.object({ event: z.literal('gift_new_user'), quota: units })
/** Reward for registering with an invitation. */
const giftInvitee = z.object({ event: z.literal('gift_invitee'), quota: units })
const giftInviter = z.object({ event: z.literal('gift_inviter'), quota: units })
/** The inviter's share of a top-up. `rebate` is in the inviter's log, `rebate_of_inviter` in the buyer's. */
const rebate = z.object({ event: z.literal('rebate'), quota: units })
const rebateOfInviter = z.object({ event: z.literal('rebate_of_inviter'), quota: units })

/** Changed by an administrator. */
const quotaChanged = z.object({ event: z.literal('quota_changed'), before: units, after: units })

/** `way` is `password`, the name of a sign-in provider, or empty if it is unknown. */
const signIn = z.object({ event: z.literal('sign_in'), way: z.string() })

export const logEventSchema = z.discriminatedUnion('event', [
  callCharged,
  taskCharged,
  taskRefunded,
  taskSettledForLess,
  answerEmpty,
  callsRefused,
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

/**
 * Reads the event from the members of a row's `other`; `undefined` for rows without one and for events of
 * later versions.
 */
export function readLogEvent(members: object): LogEvent | undefined {
  return 'event' in members ? logEventSchema.safeParse(members).data : undefined
}
