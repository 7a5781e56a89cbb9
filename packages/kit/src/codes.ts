/** The numbers that the database and the API store for states, roles and kinds; they are those of new-api. */

export const USER_ROLE = { user: 1, admin: 10, root: 100 } as const
export const USER_STATUS = { enabled: 1, disabled: 2 } as const
export const TOKEN_STATUS = { enabled: 1, disabled: 2, expired: 3, exhausted: 4 } as const
/** Also of a channel's keys. */
export const CHANNEL_STATUS = { enabled: 1, disabled: 2, autoDisabled: 3 } as const
/** What a person can switch a channel or a key to. */
export type SwitchedStatus = (typeof CHANNEL_STATUS)['enabled' | 'disabled']
export const REDEMPTION_STATUS = { unused: 1, disabled: 2, used: 3 } as const
/** What a person can switch a redemption code to. */
export type SwitchedCodeStatus = (typeof REDEMPTION_STATUS)['unused' | 'disabled']

export const LOG_TYPE = {
  topUp: 1,
  consumption: 2,
  management: 3,
  system: 4,
  checkIn: 5,
  refund: 6,
  signIn: 7,
  error: 8,
  /** Calls of a token that were refused without a row of their own; a row counts those of a minute. */
  refusal: 9,
} as const

/** The programs by which calls are known in the usage log; `other` stands for all the rest. */
export const CLIENTS = [
  'claude-code',
  'codex',
  'gemini-cli',
  'opencode',
  'cursor',
  'qwen-code',
  'cline',
  'openai-sdk',
  'anthropic-sdk',
  'google-sdk',
  'other',
] as const

export type ClientName = (typeof CLIENTS)[number]

/**
 * What can be unusual about a charge. `fee_unknown`: the vendor takes a fee that has no price. `fee_counted`: it took fees
 * that the site counts and does not charge; the amount is what they would have cost. `tool_unknown`: the call passed on a tool of the vendor that nobody knows. `usage_mended`: its
 * report contradicted itself. `served_other`: it served a model that nobody named. `waived`: the call cost more than it
 * was admitted for. `usage_unknown`: it reported counts that nobody knows. `cost_doubted`: the cost it told is far from
 * ours.
 */
export const chargeNoteKinds = [
  'fee_unknown',
  'fee_counted',
  'tool_unknown',
  'usage_mended',
  'served_other',
  'waived',
  'usage_unknown',
  'cost_doubted',
] as const
export type ChargeNoteKind = (typeof chargeNoteKinds)[number]

export function isChargeNoteKind(text: string): text is ChargeNoteKind {
  return (chargeNoteKinds as readonly string[]).includes(text)
}
